import type { z } from 'zod';
import type { EndpointName, endpoints } from '../../protocol/endpointTable.ts';
import type { RelayerErrorName } from '../../protocol/errors.ts';
import type { Account } from '../engine/accounts.ts';
import type { Relayer } from '../engine/relayer.ts';

type Table = typeof endpoints;

/** One checked request, as its route sees it. */
export interface Call<N extends EndpointName> {
  readonly relayer: Relayer;
  readonly query: z.output<Table[N]['query']>;
  readonly body: z.output<Table[N]['body']>;
  /**
   * The account that the request names, of an endpoint that checks its API key or EdDSA header; to
   * read that of another one throws.
   */
  readonly account: Account;
  /**
   * `X-API-SIG` as sent. Endpoints with an ECDSA header check it themselves, against their typed
   * data.
   */
  readonly headerSignature: string | undefined;
}

/** Fields that a route adds to the facts of the endpoint table. */
export interface Route<N extends EndpointName> {
  /**
   * The work of the endpoint; throws `Refusal`. The result is checked by the answer schema in
   * tests.
   */
  readonly handle: (call: Call<N>) => Promise<z.input<Table[N]['answer']>>;
  /**
   * Code for a malformed field by its path, where the document has a more useful one than
   * INVALID_ARGUMENT. The longest matching path wins.
   */
  readonly invalid?: Readonly<Record<string, RelayerErrorName>>;
  /**
   * Members that hold an integer as decimal text and are written as a JSON number with all its
   * digits.
   */
  readonly exactIntegers?: readonly string[];
  /** The account of the API key; `accountId` of query or body when absent. */
  readonly accountId?: (query: z.output<Table[N]['query']>, body: z.output<Table[N]['body']>) => number | undefined;
}
