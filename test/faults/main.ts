/**
 * `npm run test:faults`: the fault laboratory. Ends the worker, breaks answers, fills the disk and moves the clock at every point
 * of every scenario, and checks what is left each time.
 *
 *   npm run test:faults                      every schedule with one fault
 *   npm run test:faults -- --scenario order  only this scenario (comma for several)
 *   npm run test:faults -- --kind kill       only these kinds of fault (comma for several)
 *   npm run test:faults -- --distinct        no end of the worker that leaves the same behind as the one at the next point
 *   npm run test:faults -- --sample 50       only so many of each scenario, by chance, of the distinct ones
 *   npm run test:faults -- --hours 2         two and three faults at once, by chance, for two hours
 *   npm run test:faults -- --seed 7          another chance
 *   npm run test:faults -- --only NAME       one schedule again, with the points it reached; several times for several
 */
import { parseArgs } from 'node:util';
import { checkNames } from './checks.ts';
import { distinctFaults, randomFaults, singleFaults } from './enumerate.ts';
import { clockJumps, networkFaults } from './plan.ts';
import { createRandom } from './random.ts';
import { scenarios } from './scenarios.ts';
import { openLaboratory, parseSchedule, type Report, runAll, type Schedule } from './schedule.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    scenario: { type: 'string' },
    kind: { type: 'string' },
    hours: { type: 'string' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string' },
    distinct: { type: 'boolean', default: false },
  },
});

const started = Date.now();
const laboratory = await openLaboratory();
let ran = 0;
let deaths = 0;
let points = 0;
const failed: Report[] = [];
/** Schedules by scenario, and by kind of fault within it. */
const counts = new Map<string, Map<string, number>>();

const groupOf = (kind: string) =>
  kind in clockJumps ? 'clock' : (networkFaults as readonly string[]).includes(kind) ? 'answer' : kind;

function countOf({ scenario, faults }: Schedule): void {
  const kind = [...new Set(faults.map((fault) => groupOf(fault.kind)))].sort().join('+') || 'peace';
  const kinds = counts.get(scenario.name) ?? new Map<string, number>();
  counts.set(scenario.name, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
}

function take(report: Report): void {
  ran++;
  countOf(parseSchedule(report.name));
  deaths += Math.max(0, report.lives - 1);
  points += report.trace.length;
  if (report.problems.length === 0) return;
  failed.push(report);
  say(`✗ ${report.name}`);
  for (const { check, what } of report.problems) say(`    ${check}: ${what}`);
}

async function run(schedules: Iterable<Schedule>): Promise<Report[]> {
  const reports: Report[] = [];
  await runAll(laboratory, schedules[Symbol.iterator](), (report) => {
    take(report);
    reports.push(report);
  });
  return reports;
}

function summary(): never {
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  say(`\n${ran} schedules, ${points} points reached, ${deaths} further lives of the worker, ${seconds} s`);
  say(`Checked after each: ${checkNames.join('; ')}.`);
  for (const [name, kindsRun] of counts)
    say(`  ${name}: ${[...kindsRun].map(([kind, n]) => `${kind} ${n}`).join(', ')}`);
  say(`${ran - failed.length} passed, ${failed.length} failed`);
  for (const { name } of failed) say(`  npm run test:faults -- --only '${name}'`);
  process.exit(failed.length === 0 && ran > 0 ? 0 : 1);
}
// What ran before it was stopped counts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, summary);

const chosen = scenarios.filter(({ name }) => !values.scenario || values.scenario.split(',').includes(name));
const kinds = values.kind?.split(',');

function* byChance(traces: ReadonlyMap<string, readonly string[]>, hours: number): Generator<Schedule> {
  const random = createRandom(Number(values.seed));
  while (Date.now() < started + hours * 3_600_000) {
    const scenario = random.pick(chosen);
    yield randomFaults(scenario, traces.get(scenario.name) ?? [], random);
  }
}

if (values.only !== undefined) {
  const reports = await run(values.only.map(parseSchedule));
  for (const { name, trace, happened } of reports) {
    say(name);
    if (reports.length === 1) for (const point of trace) say(`  ${point}`);
    for (const fault of happened) say(`  happened: ${fault}`);
  }
} else {
  const inPeace = await run(chosen.map((scenario) => ({ scenario, faults: [] })));
  const traces = new Map(inPeace.map(({ name, trace }) => [name.slice(0, name.indexOf('/')), trace]));
  if (values.hours !== undefined) await run(byChance(traces, Number(values.hours)));
  else
    for (const scenario of chosen) {
      const faultsOf = values.distinct || values.sample ? distinctFaults : singleFaults;
      const all = faultsOf(scenario, traces.get(scenario.name) ?? []).filter(
        ({ faults }) => !kinds || faults.every(({ kind }) => kinds.includes(kind)),
      );
      const before = failed.length;
      const picked = values.sample
        ? createRandom(Number(values.seed)).shuffle(all).slice(0, Number(values.sample))
        : all;
      await run(picked);
      say(
        `${scenario.name}: ${picked.length} of ${all.length} schedules with one fault, ${failed.length - before} failed`,
      );
    }
}

summary();
