import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useFastCore } from '../../src/crypto/fast.ts';
import type { Db } from '../../src/relayer/db/port.ts';
import { auditDatabase } from '../relayer/support/audit.ts';
import { fillBook, SIGNERS } from './support/relayer/bulk.ts';
import { archiveAll, endOrders, sizesOf } from './support/relayer/growth.ts';
import { quantile } from './support/relayer/loadClient.ts';
import { residentMb } from './support/relayer/processes.ts';
import { profileParts } from './support/relayer/profile.ts';
import { CONNECTIONS, engineIsDone, onStage, type Stage } from './support/relayer/stage.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { median } from './support/rounds.ts';

/**
 * Orders that relayers accept with every check, durably: PostgreSQL with fsync, relayer processes
 * as an operator runs them, the engine matching meanwhile, and one client that sends orders signed
 * beforehand. All of it shares this machine's cores, so the client and the database take their part
 * of what is measured.
 *
 * Parts, all of them when none is named: `--speed` (one process and two), `--where` (profile of the
 * main thread), `--curve` (1,000 to 1,000,000 open orders and accounts), `--overload` (more
 * connections than are served), `--growth` (bytes of a million orders by table, and what archiving
 * leaves), `--sealing` (what blocks with their roots cost, beside a relayer that seals none).
 */
const ORDERS = 8_000;
const CURVE_ORDERS = 4_000;
const GROWTH_ORDERS = 40_000;
const SEALING_ORDERS = 3_000;
const SEALING_ROUNDS = 3;
/** A block takes longer to fill than a run lasts. */
const NO_SEALING = ['--block-size', '10000', '--block-age-ms', '86400000'];
const CURVE = [1_000, 10_000, 100_000, 1_000_000];
const OVERLOAD_CONNECTIONS = 2_000;
/** Requests that the relayer works on at a time in the overload part; more are refused. */
const OVERLOAD_LIMIT = 500;

const wants = (part: string): boolean => {
  const named = process.argv.filter((argument) => argument.startsWith('--'));
  return named.length === 0 || named.includes(`--${part}`);
};

export const run: BenchRun = async (say) => {
  useFastCore();
  const rows: BenchRow[] = [];
  const notes: string[] = [
    `fsync on; ${SIGNERS} accounts send over ${CONNECTIONS} connections, one request at a time on each; of four orders three rest and one takes. Client, relayers and database share the machine: times by the clock are lower bounds, processor time is steadier.`,
  ];
  if (wants('speed')) for (const processes of [1, 2]) await speed(say, processes, rows, notes);
  if (wants('where')) await where(say, rows);
  if (wants('curve')) await curve(say, rows);
  if (wants('overload')) await overload(say, rows, notes);
  if (wants('growth')) await growth(say, rows, notes);
  if (wants('sealing')) await sealing(say, rows, notes);
  return { rows, notes };
};

async function speed(say: (line: string) => void, processes: number, rows: BenchRow[], notes: string[]): Promise<void> {
  const label = `${processes} ${processes === 1 ? 'process' : 'processes'}`;
  say(`${label} on PostgreSQL: ${ORDERS} orders`);
  await onStage(processes, {}, async ({ db, load }) => {
    await load(SIGNERS);
    const { latencies, seconds, cpu } = await load(ORDERS);
    const [waiting] = await db.query<{ n: number }>(
      `SELECT count(*) AS n FROM orders WHERE status = 'processing' AND NOT resting`,
    );
    const started = performance.now();
    await engineIsDone(db);
    const behind = (performance.now() - started) / 1000;
    const [fills] = await db.query<{ n: number }>('SELECT count(*) AS n FROM fills');
    const problems = await auditDatabase(db);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const whole = cpu.main + cpu.others + cpu.database;
    rows.push(
      { what: `${label}: accepted orders a second`, ours: latencies.length / seconds, unit: '/s' },
      { what: `${label}: answer, median`, ours: quantile(latencies, 0.5), unit: 'ms' },
      { what: `${label}: answer, 99th percentile`, ours: quantile(latencies, 0.99), unit: 'ms' },
      { what: `${label}: processor time an order, main thread`, ours: cpu.main, unit: 'ms' },
      { what: `${label}: … signature and helper threads`, ours: cpu.others, unit: 'ms' },
      { what: `${label}: … PostgreSQL`, ours: cpu.database, unit: 'ms' },
      { what: `${label}: … the client of this bench`, ours: cpu.client, unit: 'ms' },
      { what: `${label}: orders that two cores carry by that`, ours: 2_000 / (whole + cpu.client), unit: '/s' },
    );
    notes.push(
      `${label}: the engine matched meanwhile (${fills?.n} fills); ${waiting?.n} orders waited for it at the end, for ${behind.toFixed(1)} s. The audit of the tests held.`,
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
  await onStage(
    1,
    { settings: ['--confirm-after-ms', '1', '--finalize-after-ms', '1'] },
    async ({ db, signers, load }) => {
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
      const problems = await auditDatabase(db);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  );
}

/** Every sealed block has its roots. */
async function blocksAreRooted(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.query(
      `SELECT 1 FROM blocks WHERE status <> 'open' AND operator_id IS NOT NULL AND data IS NULL LIMIT 1`,
    );
    if (!row) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Rounds of one relayer that seals and of one that does not, in turn on the same machine. */
async function sealing(say: (line: string) => void, rows: BenchRow[], notes: string[]): Promise<void> {
  say(`sealing: ${SEALING_ROUNDS} rounds of ${SEALING_ORDERS} orders with blocks and without, in turn`);
  await onStage(1, {}, (sealed) =>
    onStage(1, { settings: NO_SEALING }, async (open) => {
      const measured = [sealed, open].map((stage) => ({ stage, clock: [] as number[], cpu: [] as number[] }));
      for (const { stage } of measured) await stage.load(SIGNERS);
      for (let round = 0; round < SEALING_ROUNDS; round++)
        for (const { stage, clock, cpu } of round % 2 === 0 ? measured : measured.toReversed()) {
          const before = stage.usage();
          const { latencies, seconds } = await stage.load(SEALING_ORDERS);
          await engineIsDone(stage.db);
          await blocksAreRooted(stage.db);
          const after = stage.usage();
          const used = after.main + after.others + after.database - before.main - before.others - before.database;
          clock.push((seconds * 1000) / latencies.length);
          cpu.push(used / latencies.length);
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
      for (const { db } of [sealed, open]) {
        const problems = await auditDatabase(db);
        if (problems.length > 0) throw new Error(problems.join('\n'));
      }
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
        { what: `${want} open orders: processor time, relayer`, ours: cpu.main + cpu.others, unit: 'ms' },
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
    const { latencies, statuses, resent, seconds } = await load(ORDERS * 2, OVERLOAD_CONNECTIONS).finally(() =>
      clearInterval(watch),
    );
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
