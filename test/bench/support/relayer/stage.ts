import type { Db } from '../../../../src/relayer/db/port.ts';
import { openPostgres } from '../../../../src/relayer/db/postgres.ts';
import { createDatabase } from '../../../relayer/support/postgresCluster.ts';
import { addSigners, type BenchSigner, signOrders } from './bulk.ts';
import { type LoadResult, requestBytes, sendAll } from './loadClient.ts';
import { postgresCpu, type RelayerProcess, relayerCpu, startRelayerProcess } from './processes.ts';

/** Connections over which a load comes unless said otherwise. */
export const CONNECTIONS = 64;

export interface Stage {
  readonly db: Db;
  /** Of its database. */
  readonly url: string;
  readonly relayers: readonly RelayerProcess[];
  readonly signers: readonly BenchSigner[];
  /** Processor time that was used so far, ms. */
  usage(): Readonly<Record<'main' | 'others' | 'database', number>>;
  /** Orders of one run, signed now and sent then. */
  load(count: number, connections?: number): Promise<Measured>;
}

interface Measured extends LoadResult {
  /** ms of processor time an accepted order. */
  readonly cpu: Readonly<Record<'client' | 'main' | 'others' | 'database', number>>;
}

/**
 * A database with accounts that can sign, relayers on it, and an end in which everything goes away.
 */
export async function onStage<T>(
  processes: number,
  options: Parameters<typeof startRelayerProcess>[1],
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const database = await createDatabase({ durable: true });
  const relayers: RelayerProcess[] = [];
  const db = await openPostgres(database.url, 2);
  await db.query('SET statement_timeout = 0');
  try {
    for (let n = 0; n < processes; n++) relayers.push(await startRelayerProcess(database.url, options));
    const signers = await addSigners(db);
    const targets = relayers.map(({ url }) => url);
    const info = (await (await fetch(new URL('/api/v3/exchange/info', targets[0]))).json()) as {
      exchangeAddress: string;
    };
    const databaseCpu = await postgresCpu(db);
    const usage = () => ({
      main: relayers.reduce((sum, { pid }) => sum + relayerCpu(pid).main, 0),
      others: relayers.reduce((sum, { pid }) => sum + relayerCpu(pid).others, 0),
      database: databaseCpu(),
    });
    const load = async (count: number, connections = CONNECTIONS): Promise<Measured> => {
      const validUntil = Math.floor(Date.now() / 1000) + 86_400;
      const requests = signOrders(signers, info.exchangeAddress, validUntil, count).map(({ apiKey, body }) =>
        requestBytes(targets[0] as URL, '/api/v3/order', apiKey, body),
      );
      const before = usage();
      const result = await sendAll(targets, requests, connections);
      const after = usage();
      if (result.unexpected) throw new Error(`an order was refused: ${result.unexpected}`);
      const accepted = result.latencies.length;
      return {
        ...result,
        cpu: {
          client: result.cpuMs / accepted,
          main: (after.main - before.main) / accepted,
          others: (after.others - before.others) / accepted,
          database: (after.database - before.database) / accepted,
        },
      };
    };
    return await work({ db, url: database.url, relayers, signers, usage, load });
  } finally {
    await Promise.all(relayers.map((relayer) => relayer.stop()));
    await db.close();
    await database.drop();
  }
}

/** Every accepted order has had its turn. */
export async function engineIsDone(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.query(`SELECT 1 FROM orders WHERE status = 'processing' AND NOT resting LIMIT 1`);
    if (!row) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
