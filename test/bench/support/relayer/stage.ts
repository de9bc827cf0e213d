import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../../src/relayer/db/port.ts';
import { openPostgres } from '../../../../src/relayer/db/postgres.ts';
import { leadEngines } from '../../../../src/relayer/engine/engineLock.ts';
import { createDatabase } from '../../../relayer/support/postgresCluster.ts';
import { addSigners, type BenchSigner, signOrders } from './bulk.ts';
import { type LoadResult, requestBytes, sendAll } from './loadClient.ts';
import { postgresCpu, type RelayerProcess, startRelayerProcess, threadsFromNow } from './processes.ts';

/** Connections over which a load comes unless said otherwise. */
export const CONNECTIONS = 64;

/** How the orders of a run are sent. */
interface Manner {
  readonly connections?: number;
  /** Orders a second; absent: as answers come. */
  readonly perSecond?: number;
  /** Orders of one account in each request; absent: one, over the endpoint of single orders. */
  readonly batch?: number;
}

export interface Stage {
  readonly db: Db;
  /** Of its database. */
  readonly url: string;
  readonly relayers: readonly RelayerProcess[];
  readonly signers: readonly BenchSigner[];
  /** Processor time from now on, ms; see `threadsFromNow`. */
  usageFromNow(): () => Usage;
  /** Orders of one run, signed now and sent then. */
  load(count: number, manner?: Manner): Promise<Measured>;
}

type Usage = Readonly<Record<'main' | 'busiest' | 'second' | 'rest' | 'database', number>>;

interface Measured extends LoadResult {
  /** Orders that were accepted, and how many a second. */
  readonly accepted: number;
  readonly perSecond: number;
  /** ms of processor time an accepted order. */
  readonly cpu: Usage & { readonly client: number };
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
    const usageFromNow = () => {
      const threads = relayers.map(({ pid }) => threadsFromNow(pid));
      const database = databaseCpu();
      return () => {
        const used = threads.map((end) => end());
        const sum = (of: keyof (typeof used)[number]) => used.reduce((all, thread) => all + thread[of], 0);
        return {
          ...{ main: sum('main'), busiest: sum('busiest'), second: sum('second'), rest: sum('rest') },
          database: databaseCpu() - database,
        };
      };
    };
    const load = async (count: number, manner: Manner = {}): Promise<Measured> => {
      const { connections = CONNECTIONS, perSecond, batch } = manner;
      const validUntil = Math.floor(Date.now() / 1000) + 86_400;
      const orders = signOrders(signers, info.exchangeAddress, validUntil, count, batch);
      const target = targets[0] as URL;
      const requests =
        batch === undefined
          ? orders.map(({ account, body }) => requestBytes(target, '/api/v3/order', account.apiKey, body))
          : batchesOf(orders, batch).map(({ account, body }) =>
              requestBytes(target, '/api/v3/batchOrders', account.apiKey, body),
            );
      const end = usageFromNow();
      const result = await sendAll(targets, requests, connections, perSecond);
      const used = end();
      if (result.unexpected) throw new Error(`an order was refused: ${result.unexpected}`);
      const accepted = result.latencies.length * (batch ?? 1);
      return {
        ...result,
        accepted,
        perSecond: accepted / result.seconds,
        cpu: {
          client: result.cpuMs / accepted,
          main: used.main / accepted,
          busiest: used.busiest / accepted,
          second: used.second / accepted,
          rest: used.rest / accepted,
          database: used.database / accepted,
        },
      };
    };
    return await work({ db, url: database.url, relayers, signers, usageFromNow, load });
  } finally {
    await Promise.all(relayers.map((relayer) => relayer.stop()));
    await db.close();
    await database.drop();
  }
}

/** Bodies of so many orders each; `orders` has that many of one account in a row. */
function batchesOf(orders: ReturnType<typeof signOrders>, size: number): ReturnType<typeof signOrders> {
  if (orders.length % size > 0) throw new Error(`${orders.length} orders are no whole batches of ${size}`);
  return Array.from({ length: orders.length / size }, (_, n) => {
    const batch = orders.slice(n * size, (n + 1) * size);
    const { account } = batch[0] as (typeof batch)[number];
    const body = `{"accountId":${account.accountId},"orders":[${batch.map((order) => order.body).join(',')}]}`;
    return { account, body };
  });
}

/** No engine works on the database until `work` is done. */
export function withoutEngines<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    while (!(await leadEngines(tx))) await sleep(10);
    // The server ends a transaction whose client is silent.
    const alive = setInterval(() => void tx.query('SELECT 1').catch(() => {}), 1_000);
    try {
      return await work();
    } finally {
      clearInterval(alive);
    }
  }, 'maintenance');
}

/** What came in was matched, and its blocks have their roots; s until the first of it. */
export async function workIsDone(db: Db): Promise<number> {
  const started = performance.now();
  await engineIsDone(db);
  const seconds = (performance.now() - started) / 1000;
  await blocksAreRooted(db);
  return seconds;
}

/** Every sealed block has its roots. */
export async function blocksAreRooted(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.query(
      `SELECT 1 FROM blocks WHERE status <> 'open' AND operator_id IS NOT NULL AND data IS NULL LIMIT 1`,
    );
    if (!row) return;
    await sleep(50);
  }
}

/** Every accepted order has had its turn. */
export async function engineIsDone(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.query(`SELECT 1 FROM orders WHERE status = 'processing' AND NOT resting LIMIT 1`);
    if (!row) return;
    await sleep(50);
  }
}
