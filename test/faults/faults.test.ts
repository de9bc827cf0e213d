import { set } from 'idb-keyval';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { operations } from '../../src/operations/index.ts';
import { distinctEnds, distinctFaults, regressions } from './enumerate.ts';
import { createRandom } from './random.ts';
import type { Scenario } from './scenario.ts';
import { scenarioNamed, scenarios } from './scenarios.ts';
import {
  formatSchedule,
  type Laboratory,
  openLaboratory,
  parseSchedule,
  type Report,
  runAll,
  type Schedule,
} from './schedule.ts';
import { secretBytes, secretsIn, spellings } from './secrets.ts';
import type { Stage } from './stage.ts';

/**
 * The short form of `npm run test:faults`: every scenario in peace, what once failed, and a few
 * points by chance until the time is up. `FAULT_SEED` takes others.
 */
const SEED = Number(process.env.FAULT_SEED ?? 1);
const SAMPLE_MS = 5_000;

let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await openLaboratory();
});
afterAll(() => laboratory.close());

async function run(schedules: Iterable<Schedule>): Promise<Report[]> {
  const reports: Report[] = [];
  await runAll(laboratory, schedules[Symbol.iterator](), (report) => reports.push(report));
  return reports;
}

/** One text that names the schedules; `npm run test:faults -- --only NAME` repeats one. */
const problemsOf = (reports: readonly Report[]) =>
  reports.flatMap(({ name, problems }) => problems.map(({ check, what }) => `${name}: ${check}: ${what}`)).join('\n');

test('every operation has a scenario, so that a new one cannot be forgotten', () => {
  const played = new Set<string>(scenarios.map(({ operation }) => operation));
  expect(Object.keys(operations).filter((name) => !played.has(name))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

/** Points of every scenario without a fault, for the tests below. */
const traces = new Map<string, readonly string[]>();

test('in peace every scenario ends as its pages are told', async () => {
  const reports = await run(scenarios.map((scenario) => ({ scenario, faults: [] })));
  for (const { name, trace } of reports) traces.set(name.slice(0, name.indexOf('/')), trace);
  expect(problemsOf(reports)).toBe('');
});

describe('what once broke holds', () => {
  test.each(Object.entries(regressions))('%s', async (_what, name) => {
    const [report] = await run([parseSchedule(name)]);
    expect(report?.happened).not.toEqual([]);
    expect(report && problemsOf([report])).toBe('');
  });
});

test('ends, faults and clock jumps at points taken by chance leave nothing lost or doubled', async () => {
  const random = createRandom(SEED);
  const pool = scenarios.map((scenario) => random.shuffle(distinctFaults(scenario, traces.get(scenario.name) ?? [])));
  function* untilTimeIsUp(): Generator<Schedule> {
    const end = Date.now() + SAMPLE_MS;
    for (let turn = 0; Date.now() < end && turn < 50; turn++)
      for (const schedules of pool) {
        const schedule = schedules[turn];
        if (schedule && Date.now() < end) yield schedule;
      }
  }
  const reports = await run(untilTimeIsUp());
  expect(reports.length).toBeGreaterThan(0);
  expect(problemsOf(reports)).toBe('');
  console.info(
    `fault injection: ${reports.length} schedules by chance, seed ${SEED}: ${reports
      .map(({ name }) => name)
      .slice(0, 3)
      .join(', ')} …`,
  );
});

test('an approval request that nobody answers and a secret in a message are seen', async () => {
  const idle = { ...scenarioNamed('connect'), steps: () => [] };
  const [report] = await run([{ scenario: idle, faults: [], rounds: 4 }]);
  expect(report?.problems.map(({ check }) => check)).toContain('nothing stays half-done');
  const secret = Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 11) % 256);
  for (const spelling of spellings(secret))
    expect(secretsIn(`{"data":"${spelling}"}`, [secretBytes('key', secret)])).toEqual(['key']);
});

describe('a wallet that breaks its word is seen', () => {
  /** An order that rests, whose record is made a false one before anything is compared. */
  const afterOrder = (change: (stage: Stage, record: SubmissionRecord) => Promise<readonly string[]>): Scenario => {
    const order = scenarioNamed('order');
    return {
      ...order,
      async atRelayer(stage) {
        const happened = await order.atRelayer(stage);
        const entries = (await stage.browsers[0]?.dump('journal')) ?? [];
        const records = entries.filter(([key]) => (key as unknown as unknown[])[0] === 'submission');
        expect(records).toHaveLength(1);
        return [...happened, ...(await change(stage, records[0]?.[1] as SubmissionRecord))];
      },
    };
  };
  const put = async ({ browsers: [browser] }: Stage, record: SubmissionRecord) => {
    if (browser) await set(['submission', record.id], record, browser.raw.journal);
  };
  const checksOf = async (scenario: Scenario) => {
    const [report] = await run([{ scenario, faults: [] }]);
    return report?.problems.map(({ check, what }) => `${check}: ${what}`) ?? [];
  };

  test('by two effects of one click', async () => {
    const hash = `0x${'1'.repeat(63)}`;
    const twice = afterOrder(async (stage, record) => {
      await put(stage, { ...record, id: 'second', seq: record.seq + 1, hash });
      return [hash];
    });
    expect(await checksOf(twice)).toContain('one effect per approval: 2 effects of 1 approvals');
  });

  test('by a signature three minutes after its click', async () => {
    const later = 180_000;
    const late = afterOrder(async (stage, record) => {
      const history = record.history.map((entry) => ({ ...entry, at: entry.at + later }));
      await put(stage, { ...record, history });
      const [browser] = stage.browsers;
      browser?.journalWrites.push(...browser.journalWrites.map(({ at, point }) => ({ at: at + later, point })));
      return [];
    });
    expect(await checksOf(late)).toContainEqual(expect.stringMatching(/^nothing is signed late: signed 18\d\.?\d* s/));
  });
});

test('an end counts as another one than the next only while something outside the worker can change', () => {
  const trace = [
    'now#1',
    'local.get(a)#1',
    's.write:begin#1',
    's.write:commit#1',
    'now#2',
    's.write:committed#1',
    'now#3',
  ];
  const more = [
    'GET order:before#1',
    'GET order:after#1',
    'POST order:before#1',
    'POST order:after#1',
    'reply(page)#1',
    'now#4',
  ];
  expect([...distinctEnds([...trace, ...more])]).toEqual([
    's.write:begin#1',
    's.write:commit#1',
    'now#2',
    'POST order:before#1',
    'reply(page)#1',
    'now#4',
  ]);
});

test('a schedule is repeated by its name', () => {
  const name = 'order/kill@requests.write:committed#3+late*@POST order#1';
  expect(formatSchedule(parseSchedule(name))).toBe(name);
});
