import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFastCore } from '../../src/crypto/fast.ts';
import type { Db } from '../../src/relayer/db/port.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { createDatabase } from '../relayer/support/postgresCluster.ts';
import { SIGNERS } from './support/relayer/bulk.ts';
import { quantile } from './support/relayer/loadClient.ts';
import { startRelayerProcess, threadsFromNow } from './support/relayer/processes.ts';
import { type Costs, largestRate, type Outcome, type Place, simulate } from './support/relayer/simulation.ts';
import { blocksAreRooted, CONNECTIONS, onStage, withoutEngines, workIsDone } from './support/relayer/stage.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { median } from './support/rounds.ts';
import { fewer } from './support/short.ts';

/**
 * Where one PostgreSQL ends. Measures what an order costs each part of a relayer, each part by
 * itself, and simulates with these costs places that no test machine has: many processes, a large
 * database, and engines that share the markets. The same simulation of this machine stands beside
 * orders that this machine really took.
 *
 * Measured, by processor time: what an order costs the main thread that accepts it, the other
 * threads of that process (signatures, garbage collector, compiler), PostgreSQL, the main thread of
 * the engine, PostgreSQL again for matching, and the thread that hashes the state tree. Blocks are
 * sealed meanwhile, so packing and writing them is part of what matching costs. Measured by the
 * clock: a commit. Counted: fills.
 *
 * Assumed: what a standby adds to a commit; that every thread has a core of its own; that nine of
 * ten orders come from 10,000 accounts; that an order which trades does so with one account; that
 * the network to the database takes no time; that a state tree of 10^8 accounts costs an order no
 * more than one of 1,000; that more engines share markets, accounts and blocks without further
 * cost.
 */
const ORDERS = fewer(4_000);
const ROUNDS = fewer(3);
const COMMITS = 200;
/** Assumed: how much longer a commit takes that waits for a standby in the same data centre, ms. */
const STANDBY_MS = 0.5;
/** The simulation of this machine may be so far from what it did, as a share of that. */
const FAR = 0.2;
const PEOPLE = 100_000_000;

const placeOf = (processes: number, databaseCores: number, engines = 1, rootThreads = 1): Place => ({
  ...{ processes, databaseCores, engines, rootThreads },
  accounts: PEOPLE,
});
/** Of virtual time: many engines see enough orders in less of it. */
const secondsOf = ({ engines }: Place) => fewer(engines > 1 ? 3 : 10);
const places: readonly (readonly [what: string, place: Place])[] = [
  ['1 process, 2 cores for the database', placeOf(1, 2)],
  ['10 processes, 16 cores', placeOf(10, 16)],
  ['100 processes, 64 cores', placeOf(100, 64)],
  ['100 processes, 64 cores, 10 engines', placeOf(100, 64, 10)],
  ['100 processes, 64 cores, 10 engines, 10 state trees', placeOf(100, 64, 10, 10)],
  ['100 processes, 64 cores, 50 engines, 50 state trees', placeOf(100, 64, 50, 50)],
];

export const run: BenchRun = async (say) => {
  useFastCore();
  const { commit, ...costs } = await measure(say);
  const rows: BenchRow[] = [
    ['measured: HTTP and rules, main thread', costs.main],
    ['measured: signature, the other threads', costs.signature],
    ['measured: storing, PostgreSQL', costs.store],
    ['measured: matching, main thread', costs.match],
    ['measured: matching, PostgreSQL', costs.matchStore],
    ['measured: roots of the blocks, their thread', costs.roots],
    ['measured: a commit, by the clock', commit],
    ['assumed: what a standby adds to it', STANDBY_MS],
  ].map(([what, ours]) => ({ what: String(what), ours: Number(ours), unit: 'ms' }));
  rows.push({ what: 'measured: fills an order', ours: costs.trades, unit: '' });
  const notes: string[] = [];
  await compare(say, { ...costs, flush: commit }, rows, notes);
  for (const [what, place] of places) {
    say(`simulating ${what}`);
    const { rate, at } = largestRate({ ...costs, flush: commit + STANDBY_MS }, place, secondsOf(place));
    rows.push({ what: `simulated: ${what}`, ours: rate, unit: 'orders/s', verdict: fullest(at) });
    notes.push(
      `${what}: at ${rate.toFixed(0)} orders/s the answer takes ${at.median.toFixed(1)} ms (99th percentile ${at.p99.toFixed(0)} ms), ${(at.lockWaits * 100).toFixed(0)} % of the transactions wait for an account; busy: ${busyText(at)}.`,
    );
  }
  return { rows, notes };
};

/** The bench's own load on this machine: orders that it took beside those that are simulated. */
async function compare(say: (line: string) => void, costs: Costs, rows: BenchRow[], notes: string[]): Promise<void> {
  say(`this machine: ${ROUNDS} rounds of ${ORDERS} orders, then the same simulated`);
  const runs = await onStage(1, {}, async ({ db, load }) => {
    await load(SIGNERS);
    const runs = [];
    for (let round = 0; round < ROUNDS; round++) {
      await workIsDone(db);
      runs.push(await load(ORDERS));
    }
    return runs;
  });
  const of = (figure: (run: (typeof runs)[number]) => number) => median(runs.map(figure));
  const cores = availableParallelism();
  const machine = { cores, client: of(({ cpu }) => cpu.client) };
  const place: Place = { processes: 1, engines: 1, databaseCores: cores, accounts: SIGNERS, machine };
  const simulated = simulate(
    costs,
    place,
    { connections: CONNECTIONS },
    of(({ seconds }) => seconds),
  );
  const beside = 'measured';
  const perSecond = of((run) => run.perSecond);
  const ratio = simulated.perSecond / perSecond;
  const p99 = of(({ latencies }) => quantile(latencies, 0.99));
  rows.push(
    {
      ...{ what: 'this machine, one process: simulated', ours: simulated.perSecond, unit: 'orders/s' },
      ...{ beside, theirs: perSecond, ratio },
      ...{ verdict: `within ${FAR * 100} % of what was measured`, held: Math.abs(ratio - 1) <= FAR },
    },
    {
      ...{ what: 'this machine, one process: answer, 99th percentile, simulated', ours: simulated.p99, unit: 'ms' },
      ...{ beside, theirs: p99, ratio: p99 / simulated.p99 },
    },
  );
  notes.push(
    `this machine: ${cores} cores for one process, PostgreSQL and the client, ${CONNECTIONS} connections that wait for their answers, no standby; simulated busy: ${busyText(simulated)}.`,
  );
}

const byShare = ({ busy }: Outcome) => Object.entries(busy).sort(([, a], [, b]) => b - a);
const busyText = (at: Outcome) =>
  byShare(at)
    .map(([server, share]) => `${server} ${(share * 100).toFixed(0)} %`)
    .join(', ');
const fullest = (at: Outcome) => `fullest: ${byShare(at)[0]?.[0]}`;

/** Accepting while the engine waits, matching while no order comes in, and commits of one row. */
async function measure(say: (line: string) => void): Promise<Omit<Costs, 'flush'> & { readonly commit: number }> {
  say(`${ORDERS} orders are accepted while no engine works, then matched while none comes in`);
  const parts = await onStage(1, { settings: ['--engine', 'off'] }, async ({ db, url, usageFromNow, load }) => {
    const engine = await startRelayerProcess(url);
    try {
      // The first block opens the accounts, and its roots start their thread.
      await load(SIGNERS);
      await workIsDone(db);
      const { cpu } = await withoutEngines(db, () => load(ORDERS));
      const databaseUsage = usageFromNow();
      const engineUsage = threadsFromNow(engine.pid);
      await workIsDone(db);
      await blocksAreSealed(db);
      const { main, busiest } = engineUsage();
      const [fills] = await db.query<{ n: number }>('SELECT count(*) AS n FROM fills');
      return {
        ...{
          main: cpu.main,
          signature: cpu.busiest + cpu.second + cpu.rest,
          store: cpu.database,
          match: main / ORDERS,
        },
        ...{ matchStore: databaseUsage().database / ORDERS, roots: busiest / ORDERS },
        trades: (fills?.n ?? 0) / (SIGNERS + ORDERS),
      };
    } finally {
      await engine.stop();
    }
  });
  say(`${COMMITS} commits of one row`);
  const database = await createDatabase({ durable: true });
  const db = await openPostgres(database.url, 4);
  await db.script('CREATE TABLE commits (n int)');
  const times: number[] = [];
  for (let n = 0; n < COMMITS; n++) {
    const began = performance.now();
    await db.query('INSERT INTO commits VALUES ($1)', [n]);
    times.push(performance.now() - began);
  }
  await db.close();
  await database.drop();
  return { ...parts, commit: median(times) };
}

/** The last block is full or old enough, and has its roots. */
async function blocksAreSealed(db: Db): Promise<void> {
  for (let open = 1; open > 0; ) {
    await sleep(50);
    const [row] = await db.query<{ n: number }>(`SELECT count(*) AS n FROM blocks WHERE status = 'open' AND size > 0`);
    open = row?.n ?? 0;
  }
  await blocksAreRooted(db);
}
