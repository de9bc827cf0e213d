import { useFastCore } from '../../src/crypto/fast.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { createDatabase } from '../relayer/support/postgresCluster.ts';
import { SIGNERS } from './support/relayer/bulk.ts';
import { relayerCpu, startRelayerProcess } from './support/relayer/processes.ts';
import { type Costs, largestRate, type Outcome, type Place } from './support/relayer/simulation.ts';
import { engineIsDone, onStage } from './support/relayer/stage.ts';
import type { BenchRow, BenchRun } from './support/report.ts';

/**
 * Where one PostgreSQL ends. Measures what an order costs each part of a relayer, each part by
 * itself, and simulates with these costs places that no test machine has: many processes, a large
 * database, and engines that share the markets.
 */
const ORDERS = 4_000;
const COMMITS = 200;
/** A commit that waits for a standby in the same data centre takes about so much longer. */
const STANDBY_MS = 0.5;
/** Measured by `npm run bench -- relayer --sealing`: 7 to 9 %. */
const SEALING = 0.09;
const PEOPLE = 100_000_000;

const places: readonly (readonly [what: string, place: Place])[] = [
  ['1 process, 2 cores for the database', { processes: 1, engines: 1, databaseCores: 2, accounts: PEOPLE }],
  ['10 processes, 16 cores', { processes: 10, engines: 1, databaseCores: 16, accounts: PEOPLE }],
  ['100 processes, 64 cores', { processes: 100, engines: 1, databaseCores: 64, accounts: PEOPLE }],
  ['100 processes, 64 cores, 10 engines', { processes: 100, engines: 10, databaseCores: 64, accounts: PEOPLE }],
  ['100 processes, 64 cores, 50 engines', { processes: 100, engines: 50, databaseCores: 64, accounts: PEOPLE }],
];

export const run: BenchRun = async (say) => {
  useFastCore();
  const costs = await measure(say);
  const rows: BenchRow[] = [
    ['HTTP and rules, main thread', costs.main],
    ['signature, its thread', costs.signature],
    ['storing, PostgreSQL', costs.store],
    ['matching, main thread', costs.match],
    ['matching, PostgreSQL', costs.matchStore],
    ['a commit that waits for a standby', costs.flush],
  ].map(([what, ours]) => ({ what: `measured: ${what}`, ours: Number(ours), unit: 'ms' }));
  const notes: string[] = [];
  for (const [what, place] of places) {
    say(`simulating ${what}`);
    const { rate, at } = largestRate(costs, place);
    rows.push({ what: `simulated: ${what}`, ours: rate, unit: 'orders/s', verdict: fullest(at) });
    notes.push(
      `${what}: at ${rate.toFixed(0)} orders/s the answer takes ${at.median.toFixed(1)} ms (99th percentile ${at.p99.toFixed(0)} ms), ${(at.lockWaits * 100).toFixed(0)} % of the transactions wait for an account; busy: ${busyText(at)}.`,
    );
  }
  return { rows, notes };
};

const byShare = ({ busy }: Outcome) => Object.entries(busy).sort(([, a], [, b]) => b - a);
const busyText = (at: Outcome) =>
  byShare(at)
    .map(([server, share]) => `${server} ${(share * 100).toFixed(0)} %`)
    .join(', ');
const fullest = (at: Outcome) => `fullest: ${byShare(at)[0]?.[0]}`;

/** Accepting with no engine there, matching with no order coming in, and commits of one row. */
async function measure(say: (line: string) => void): Promise<Costs> {
  say(`${ORDERS} orders are accepted while no engine runs, then matched while none comes in`);
  const parts = await onStage(1, { settings: ['--engine', 'off'] }, async ({ db, url, usage, load }) => {
    await load(SIGNERS);
    const { cpu } = await load(ORDERS);
    const before = usage();
    const engine = await startRelayerProcess(url);
    const started = relayerCpu(engine.pid).main;
    await engineIsDone(db);
    const after = usage();
    const match = (relayerCpu(engine.pid).main - started) / (SIGNERS + ORDERS);
    await engine.stop();
    return {
      ...{ main: cpu.main, signature: cpu.others, store: cpu.database, match },
      matchStore: (after.database - before.database) / (SIGNERS + ORDERS),
    };
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
  const flush = (times.sort((a, b) => a - b)[COMMITS / 2] as number) + STANDBY_MS;
  return { ...parts, flush, sealing: SEALING };
}
