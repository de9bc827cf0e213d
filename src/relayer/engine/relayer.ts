import type { Logger } from 'pino';
import type { Hex } from 'viem';
import type { RelayerConfig } from '../config.ts';
import type { Db, Sql } from '../db/port.ts';
import type { L1Chain } from '../l1/port.ts';
import type { Metrics } from '../server/metrics.ts';
import type { SharedRates } from '../server/sharedRates.ts';
import type { Account } from './accounts.ts';
import type { Catalog } from './catalog.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { CheckedOrder, OrderAck } from './orders/checkedOrder.ts';
import type { SignatureThreads } from './signatureThreads.ts';
import type { Snapshots } from './state/snapshots.ts';
import type { StateKeeper } from './state/stateKeeper.ts';

/** Services for every rule of the engine and every route. */
export interface Relayer {
  readonly config: RelayerConfig;
  readonly db: Db;
  /**
   * Where histories and market data are read: the standby while it has everything, else `db`. From
   * 7 connections on they leave one to all other reads.
   */
  readonly histories: Sql;
  /**
   * The same for a list of one account. Its lists are read one after another.
   * @throws {Refusal} 429: enough of them wait already.
   */
  readonly historiesOf: <T>(accountId: number, read: (histories: Sql) => Promise<T>) => Promise<T>;
  readonly clock: Clock;
  readonly l1: L1Chain;
  readonly catalog: Catalog;
  /** Reads the catalog again when another process has changed it. */
  readonly readCatalog: (sql: Sql) => Promise<void>;
  readonly faults: Faults;
  /** EdDSA checks; remembers keys, bounded. */
  readonly signatures: SignatureThreads;
  /** Roots of blocks, and proofs of balances. */
  readonly state: StateKeeper;
  /** Where the operator wants them. */
  readonly snapshots: Snapshots | undefined;
  /** The account whose current API key this is. */
  readonly accountOfApiKey: (apiKey: string) => Promise<Account | undefined>;
  /** Stores a checked order; answers after the commit. */
  readonly recordOrder: (order: CheckedOrder) => Promise<OrderAck>;
  /** Code of contracts as callers may read it: remembered. */
  readonly codeOf: (address: Hex) => Promise<Hex>;
  /** Gas of a deployment as quotes may read it: remembered. */
  readonly deploymentGasOf: (contract: Hex) => Promise<bigint | undefined>;
  /** Rate limits of all processes on a PostgreSQL server. */
  readonly sharedRates: SharedRates | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Logs the cause of refusals that do not name it, once a second at most. */
  readonly trouble: (error: unknown) => void;
  /** Secret from which API keys are derived. */
  readonly apiKeySecret: string;
  /** Base URLs that a request signature may name. */
  readonly baseUrls: readonly string[];
  /**
   * An order, cancel or request was accepted: tells the engine that there is work, and the pushes
   * that an account changed.
   */
  wake(): void;
  /** The engine committed: tells the pushes. */
  committed(): void;
}
