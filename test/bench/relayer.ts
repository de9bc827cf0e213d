import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useFastCore } from '../../src/crypto/fast.ts';
import { auditDatabase } from '../relayer/support/audit.ts';
import { fillBook, SIGNERS } from './support/relayer/bulk.ts';
import { archiveAll, endOrders, sizesOf } from './support/relayer/growth.ts';
import { quantile } from './support/relayer/loadClient.ts';
import { residentMb } from './support/relayer/processes.ts';
import { profileParts } from './support/relayer/profile.ts';
import { CONNECTIONS, engineIsDone, onStage, type Stage, workIsDone } from './support/relayer/stage.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { median } from './support/rounds.ts';
import { fewer, isShort } from './support/short.ts';

/**
 * Orders that relayers accept with every check, durably: PostgreSQL with fsync, relayer processes
 * as an operator runs them, the engine matching meanwhile, and one client that sends orders signed
 * beforehand. All of it shares this machine's cores, so the client and the database take their part
 * of what is measured.
 *
 * Parts, all of them when none is named: `--speed` (one process and two in turn, each as fast as it
 * answers and then at two thirds of that rate), `--batch` (ten orders in a request beside one),
 * `--where` (profile of the main thread), `--curve` (1,000 to 1,000,000 open orders and accounts),
 * `--overload` (more connections than are served), `--growth` (bytes of a million orders by table,
 * and what archiving leaves), `--sealing` (what blocks with their roots cost, beside a relayer that
 * seals none).
 */
const PARTS = ['speed', 'batch', 'where', 'curve', 'overload', 'growth', 'sealing'] as const;
const ORDERS = fewer(8_000);
const CURVE_ORDERS = fewer(4_000);
const GROWTH_ORDERS = fewer(40_000);
const SEALING_ORDERS = fewer(3_000);
/** Of the parts that compare, each side in turn. */
const ROUNDS = fewer(3);
/** Goals of one process: orders a second, and ms at the rate of the open loop. */
const RATE_GOAL = 2_200;
const P99_GOAL_MS = 60;
/** Rate of the open loop, of the rate that the closed one just reached, and how long it lasts. */
const PACE = 2 / 3;
const PACED_SECONDS = fewer(20);
/** So many that an order finds a free one unless the relayer is far behind. */
const PACED_CONNECTIONS = 256;
/** The most that a request takes. */
const BATCH = 10;
/** A block takes longer to fill than a run lasts. */
const NO_SEALING = ['--block-size', '10000', '--block-age-ms', '86400000'];
const CURVE = isShort ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
const OVERLOAD_CONNECTIONS = 2_000;
/** Requests that the relayer works on at a time in the overload part; more are refused. */
const OVERLOAD_LIMIT = 500;

const wants = (part: (typeof PARTS)[number]): boolean => {
  const named = PARTS.filter((name) => process.argv.includes(`--${name}`));
  return named.length === 0 || named.includes(part);
};

export const run: BenchRun = async (say) => {
  useFastCore();
  const rows: BenchRow[] = [];
  const notes: string[] = [
    `fsync on; ${SIGNERS} accounts send over ${CONNECTIONS} connections, one request at a time on each; of four orders three rest and one takes. Client, relayers and database share the machine: times by the clock are lower bounds, processor time is steadier.`,
  ];
  if (wants('speed')) await speed(say, rows, notes);
  if (wants('batch')) await batches(say, rows, notes);
  if (wants('where')) await where(say, rows);
  if (wants('curve')) await curve(say, rows);
  if (wants('overload')) await overload(say, rows, notes);
  if (wants('growth')) await growth(say, rows, notes);
  if (wants('sealing')) await sealing(say, rows, notes);
  return { rows, notes };
};

async function audit({ db }: Stage): Promise<void> {
  const problems = await auditDatabase(db);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function unmatched({ db }: Stage): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `SELECT count(*) AS n FROM orders WHERE status = 'processing' AND NOT resting`,
  );
  return row?.n ?? 0;
}

async function speed(say: (line: string) => void, rows: BenchRow[], notes: string[]): Promise<void> {
  say(`speed: ${ROUNDS} rounds of ${ORDERS} orders, then ${PACED_SECONDS} s, with one process and two in turn`);
  await onStage(1, {}, (one) =>
    onStage(2, {}, async (two) => {
      const sides = [
        { label: '1 process', stage: one, runs: [] as Run[] },
        { label: '2 processes', stage: two, runs: [] as Run[] },
      ] as const;
      for (const { stage } of sides) {
        await stage.load(SIGNERS);
        await workIsDone(stage.db);
      }
      for (let round = 0; round < ROUNDS; round++)
        for (const { label, stage, runs } of round % 2 === 0 ? sides : sides.toReversed()) {
          const end = stage.usageFromNow();
          const closed = await stage.load(ORDERS);
          const waiting = await unmatched(stage);
          const behind = await workIsDone(stage.db);
          const used = end();
          const perSecond = closed.perSecond * PACE;
          const paced = await stage.load(Math.round(perSecond * PACED_SECONDS), {
            ...{ perSecond, connections: PACED_CONNECTIONS },
          });
          await workIsDone(stage.db);
          runs.push({ closed, used, waiting, behind, perSecond, paced });
          say(`${label}: ${closed.perSecond.toFixed(0)} orders/s; at two thirds p99 ${p99(paced).toFixed(0)} ms`);
        }
      const [single, pair] = sides;
      for (const { label, stage, runs } of sides) {
        await audit(stage);
        rows.push(...speedRows(label, runs, stage === one));
        const [fills] = await stage.db.query<{ n: number }>('SELECT count(*) AS n FROM fills');
        notes.push(
          `${label}: the engine matched meanwhile (${fills?.n} fills); at the end of ${ORDERS} orders ${medianOf(runs, ({ waiting }) => waiting)} waited for it, for ${medianOf(runs, ({ behind }) => behind).toFixed(1)} s. The audit of the tests held.`,
        );
      }
      const rate = ({ closed }: Run) => closed.perSecond;
      rows.push({
        what: 'accepted orders a second, 2 processes',
        ours: medianOf(pair.runs, rate),
        unit: '/s',
        beside: '1 process',
        theirs: medianOf(single.runs, rate),
        ratio: median(pair.runs.map((run, round) => rate(run) / rate(single.runs[round] as Run))),
        goal: 1,
      });
      notes.push(
        `Medians of ${ROUNDS} rounds. At two thirds of the rate just reached, orders arrive evenly for ${PACED_SECONDS} s, whatever became of those before; a latency counts from the arrival, so it includes the lateness of the client.`,
      );
    }),
  );
}

/** One round of one side of the speed part. */
interface Run {
  readonly closed: Awaited<ReturnType<Stage['load']>>;
  /** Until all orders were matched and their blocks had roots. */
  readonly used: ReturnType<ReturnType<Stage['usageFromNow']>>;
  /** Orders that were not matched when the last was accepted, and s until they were. */
  readonly waiting: number;
  readonly behind: number;
  /** Orders a second that arrived in the open loop. */
  readonly perSecond: number;
  readonly paced: Run['closed'];
}

const sumOf = (used: Run['used']): number => Object.values(used).reduce((sum, ms) => sum + ms, 0);
const p99 = ({ latencies }: Run['closed']): number => quantile(latencies, 0.99);
const medianOf = (runs: readonly Run[], figure: (run: Run) => number): number => median(runs.map(figure));

/** @param hasGoals - Whether the goals are this side's. */
function speedRows(label: string, runs: readonly Run[], hasGoals: boolean): BenchRow[] {
  const row = (what: string, unit: string, figure: (run: Run) => number, bound?: BenchRow['bound']): BenchRow => ({
    ...{ what: `${label}: ${what}`, ours: medianOf(runs, figure), unit },
    ...(bound && hasGoals && { bound }),
  });
  const cpu = (what: string, of: keyof Run['used']) =>
    row(what, 'ms', ({ closed, used }) => used[of] / closed.accepted);
  const whole = ({ closed, used }: Run) => sumOf(used) / closed.accepted + closed.cpu.client;
  return [
    row('accepted orders a second', '/s', ({ closed }) => closed.perSecond, ['≥', RATE_GOAL]),
    row('… and matched', '/s', ({ closed, behind }) => closed.accepted / (closed.seconds + behind)),
    row('answer, median', 'ms', ({ closed }) => quantile(closed.latencies, 0.5)),
    row('answer, 99th percentile', 'ms', ({ closed }) => p99(closed)),
    row('at two thirds, orders a second', '/s', ({ perSecond }) => perSecond),
    row('at two thirds, answer, median', 'ms', ({ paced }) => quantile(paced.latencies, 0.5)),
    row('at two thirds, answer, 99th percentile', 'ms', ({ paced }) => p99(paced), ['≤', P99_GOAL_MS]),
    row('at two thirds, refused', 'orders', ({ paced }) => paced.statuses.get(503) ?? 0, ['≤', 0]),
    cpu('processor time an order, main thread', 'main'),
    cpu('… busiest other thread (state tree)', 'busiest'),
    cpu('… second one (signatures)', 'second'),
    cpu('… garbage collector, compiler', 'rest'),
    cpu('… PostgreSQL', 'database'),
    row('… the client of this bench', 'ms', ({ closed }) => closed.cpu.client),
    row('orders that two cores carry by that', '/s', (run) => 2_000 / whole(run)),
  ];
}

/** As many orders in progress either way, so that batches gain nothing from a longer queue. */
async function batches(say: (line: string) => void, rows: BenchRow[], notes: string[]): Promise<void> {
  say(`batch: ${ROUNDS} rounds of ${ORDERS} orders one by one and ${BATCH} in a request, in turn`);
  await onStage(1, {}, async (stage) => {
    const ways = [
      { manner: {}, runs: [] as Run['closed'][] },
      { manner: { batch: BATCH, connections: Math.round(CONNECTIONS / BATCH) }, runs: [] as Run['closed'][] },
    ] as const;
    await stage.load(SIGNERS);
    for (let round = 0; round < ROUNDS; round++)
      for (const { manner, runs } of round % 2 === 0 ? ways : ways.toReversed()) {
        runs.push(await stage.load(ORDERS, manner));
        await workIsDone(stage.db);
      }
    await audit(stage);
    const [single, batch] = ways.map(({ runs }) => runs) as [Run['closed'][], Run['closed'][]];
    const row = (what: string, unit: string, figure: (run: Run['closed']) => number, isRate = false): BenchRow => {
      const ratios = batch.map((run, round) => figure(run) / figure(single[round] as Run['closed']));
      return {
        ...{ what: `batch: ${what}`, ours: median(batch.map(figure)), unit },
        ...{ beside: 'one in a request', theirs: median(single.map(figure)) },
        ratio: median(isRate ? ratios : ratios.map((ratio) => 1 / ratio)),
      };
    };
    rows.push(
      row(`accepted orders a second, ${BATCH} in a request`, '/s', ({ perSecond }) => perSecond, true),
      row('processor time an order, main thread', 'ms', ({ cpu }) => cpu.main),
      row('processor time an order, relayer and PostgreSQL', 'ms', ({ cpu: { client, ...cpu } }) => sumOf(cpu)),
      row('answer to a request, median', 'ms', ({ latencies }) => quantile(latencies, 0.5)),
    );
    notes.push(
      `batch: one process; ${Math.round(CONNECTIONS / BATCH)} connections with ${BATCH} orders of one account in each request, beside ${CONNECTIONS} connections with one, ${ROUNDS} rounds in turn.`,
    );
  });
}

async function where(say: (line: string) => void, rows: BenchRow[]): Promise<void> {
  say('where the main thread spends its time: a profile');
  const folder = mkdtempSync(join(tmpdir(), 'countersign-profile-'));
  try {
    const cpu = await onStage(
      1,
      { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'] },
      async ({ load }) => (await load(ORDERS / 2)).cpu,
    );
    for (const [part, share] of profileParts(folder))
      rows.push({ what: `main thread of an order: ${part}`, ours: share * cpu.main, unit: 'ms' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function growth(say: (line: string) => void, rows: BenchRow[], notes: string[]): Promise<void> {
  say(`growth by ${GROWTH_ORDERS} orders`);
  await onStage(1, { settings: ['--confirm-after-ms', '1', '--finalize-after-ms', '1'] }, async (stage) => {
    const { db, signers, load } = stage;
    await load(SIGNERS);
    await engineIsDone(db);
    const before = await sizesOf(db);
    const { latencies } = await load(GROWTH_ORDERS);
    await engineIsDone(db);
    await endOrders(db, signers);
    // Without what updates left behind, which autovacuum gives back.
    await db.script('VACUUM FULL');
    const full = await sizesOf(db);
    const [fills] = await db.query<{ n: number }>('SELECT count(*) AS n FROM fills');
    const scale = 1_000_000 / latencies.length / 1e9;
    const grown = (sizes: ReadonlyMap<string, number>) =>
      [...sizes]
        .map(([name, bytes]) => ({ name, gigabytes: (bytes - (before.get(name) ?? 0)) * scale }))
        .sort((a, b) => b.gigabytes - a.gigabytes);
    for (const { name, gigabytes } of grown(full).filter(({ gigabytes }) => gigabytes >= 0.01))
      rows.push({ what: `growth: a million orders, ${name}`, ours: gigabytes, unit: 'GB' });
    const { orders, seconds, bytes } = await archiveAll(db);
    await db.script('VACUUM FULL');
    const tables = (sizes: ReadonlyMap<string, number>) =>
      grown(sizes).reduce((sum, { name, gigabytes }) => (name === 'write-ahead log' ? sum : sum + gigabytes), 0);
    rows.push(
      { what: 'growth: a million orders, all tables', ours: tables(full), unit: 'GB' },
      { what: 'growth: … after archiving', ours: tables(await sizesOf(db)), unit: 'GB' },
      { what: 'growth: … in the files of the archive', ours: bytes * scale, unit: 'GB' },
      { what: 'growth: orders archived a second', ours: orders / seconds, unit: '/s' },
    );
    notes.push(
      `growth: ${((fills?.n ?? 0) / latencies.length).toFixed(2)} fills an order; tables with indexes, vacuumed`,
    );
    await audit(stage);
  });
}

/** Rounds of one relayer that seals and of one that does not, in turn on the same machine. */
async function sealing(say: (line: string) => void, rows: BenchRow[], notes: string[]): Promise<void> {
  say(`sealing: ${ROUNDS} rounds of ${SEALING_ORDERS} orders with blocks and without, in turn`);
  await onStage(1, {}, (sealed) =>
    onStage(1, { settings: NO_SEALING }, async (open) => {
      const measured = [sealed, open].map((stage) => ({ stage, clock: [] as number[], cpu: [] as number[] }));
      for (const { stage } of measured) await stage.load(SIGNERS);
      for (let round = 0; round < ROUNDS; round++)
        for (const { stage, clock, cpu } of round % 2 === 0 ? measured : measured.toReversed()) {
          const end = stage.usageFromNow();
          const { latencies, seconds } = await stage.load(SEALING_ORDERS);
          await workIsDone(stage.db);
          clock.push((seconds * 1000) / latencies.length);
          cpu.push(sumOf(end()) / latencies.length);
        }
      const [on, off] = measured.map(({ clock, cpu }) => ({ clock: median(clock), cpu: median(cpu) }));
      if (!on || !off) return;
      const count = async ({ db }: Stage) =>
        (await db.query<{ n: number }>('SELECT count(*) AS n FROM blocks WHERE data IS NOT NULL'))[0]?.n ?? 0;
      const [blocks, none] = [await count(sealed), await count(open)];
      if (blocks === 0 || none > 0) throw new Error(`${blocks} blocks were sealed, and ${none} where none should be`);
      const beside = 'no block is sealed';
      rows.push(
        {
          ...{ what: 'sealing: an accepted order, by the clock', ours: on.clock, unit: 'ms', beside },
          ...{ theirs: off.clock, ratio: off.clock / on.clock, goal: 0.9 },
        },
        {
          ...{ what: 'sealing: an accepted order, processor time with its blocks', ours: on.cpu, unit: 'ms', beside },
          ...{ theirs: off.cpu, ratio: off.cpu / on.cpu, goal: 0.9 },
        },
      );
      notes.push(
        `sealing: ${blocks} blocks with their roots. The state of this exchange has ${SIGNERS} accounts; the processor time is that of relayer and database until the last block has its roots.`,
      );
      for (const stage of [sealed, open]) await audit(stage);
    }),
  );
}

async function curve(say: (line: string) => void, rows: BenchRow[]): Promise<void> {
  await onStage(1, {}, async ({ db, load }) => {
    await load(SIGNERS);
    let have = 0;
    for (const want of CURVE) {
      say(`${want} open orders and accounts`);
      await fillBook(db, have, want, Math.floor(Date.now() / 1000) + 86_400);
      await db.query('CHECKPOINT');
      have = want;
      const { latencies, seconds, cpu } = await load(CURVE_ORDERS);
      await engineIsDone(db);
      rows.push(
        { what: `${want} open orders: accepted a second`, ours: latencies.length / seconds, unit: '/s' },
        { what: `${want} open orders: answer, 99th percentile`, ours: quantile(latencies, 0.99), unit: 'ms' },
        {
          what: `${want} open orders: processor time, relayer`,
          ours: cpu.main + cpu.busiest + cpu.second + cpu.rest,
          unit: 'ms',
        },
        { what: `${want} open orders: processor time, PostgreSQL`, ours: cpu.database, unit: 'ms' },
      );
    }
  });
}

async function overload(say: (line: string) => void, rows: BenchRow[], notes: string[]): Promise<void> {
  say(`${OVERLOAD_CONNECTIONS} connections at once, ${OVERLOAD_LIMIT} requests worked on at a time`);
  const options = { settings: ['--max-concurrent-requests', String(OVERLOAD_LIMIT)] };
  await onStage(1, options, async ({ db, load, relayers: [relayer] }) => {
    if (!relayer) return;
    await load(SIGNERS);
    const calm = residentMb(relayer.pid);
    let peak = calm;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMb(relayer.pid));
    }, 20);
    // Ends the watch whatever comes of the load: the process it looks at is stopped after a failure
    // too.
    const { latencies, statuses, resent, seconds } = await load(ORDERS * 2, {
      connections: OVERLOAD_CONNECTIONS,
    }).finally(() => clearInterval(watch));
    rows.push(
      { what: 'overload: accepted orders a second', ours: latencies.length / seconds, unit: '/s' },
      { what: 'overload: refused (503) a second', ours: (statuses.get(503) ?? 0) / seconds, unit: '/s' },
      { what: 'overload: answer of the accepted, 99th percentile', ours: quantile(latencies, 0.99), unit: 'ms' },
      { what: 'overload: memory before', ours: calm, unit: 'MB' },
      { what: 'overload: highest memory', ours: peak, unit: 'MB' },
    );
    const [kept] = await db.query<{ n: number }>('SELECT count(*) AS n FROM orders');
    notes.push(
      `overload: every accepted order is in the database (${kept?.n}, ${SIGNERS} of them from before); ${resent} connections broke off before an answer, and the same bytes went again.`,
    );
    if (kept?.n !== latencies.length + SIGNERS) throw new Error('accepted orders and stored orders differ');
  });
}
