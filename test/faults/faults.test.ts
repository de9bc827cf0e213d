import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { distinctEnds, distinctFaults, regressions } from './enumerate.ts';
import { createRandom } from './random.ts';
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

/**
 * The short form of `npm run test:faults`: every scenario in peace, what once failed, and a few points by chance until the time is
 * up. `FAULT_SEED` takes others.
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

const problemsOf = (reports: readonly Report[]) =>
  reports.filter(({ problems }) => problems.length > 0).map(({ name, problems }) => ({ name, problems }));

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
  expect(problemsOf(reports)).toEqual([]);
});

describe('what once broke holds', () => {
  test.each(Object.entries(regressions))('%s', async (_what, name) => {
    const [report] = await run([parseSchedule(name)]);
    expect(report?.happened).not.toEqual([]);
    expect(report && problemsOf([report])).toEqual([]);
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
  expect(problemsOf(reports)).toEqual([]);
  console.info(
    `fault laboratory: ${reports.length} schedules by chance, seed ${SEED}: ${reports
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
