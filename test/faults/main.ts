/**
 * `npm run test:faults`: the fault-injection tests. They end the worker, break answers, fill
 * the disk and move the clock at every point of every scenario, and check what is left each time.
 *
 *   npm run test:faults                      every schedule with one fault
 *   npm run test:faults -- --scenario order  only this scenario (comma for several)
 *   npm run test:faults -- --kind kill       only these kinds of fault (comma for several)
 *   npm run test:faults -- --distinct        one of several ends of the worker that leave the same
 *   npm run test:faults -- --sample 50       so many distinct ones of each scenario, by chance
 *   npm run test:faults -- --runs 10000      so many of one to three faults, scenarios in turn
 *   npm run test:faults -- --hours 2         as many of them as fit into two hours
 *   npm run test:faults -- --runs 10000 --resume   goes on; what failed is played again
 *   npm run test:faults -- --seed 7          another chance
 *   npm run test:faults -- --only NAME       this schedule, with the points it reaches; may repeat
 */
import { parseArgs } from 'node:util';
import { checkNames } from './checks.ts';
import { type Candidates, candidatesOf, drawSchedule, groupOf } from './draw.ts';
import { distinctFaults, singleFaults } from './enumerate.ts';
import { createRandom } from './random.ts';
import { openRunLog } from './runLog.ts';
import { scenarios } from './scenarios.ts';
import { formatSchedule, openLaboratory, parseSchedule, type Report, runAll, type Schedule } from './schedule.ts';
import { within } from './within.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    scenario: { type: 'string' },
    kind: { type: 'string' },
    runs: { type: 'string' },
    hours: { type: 'string' },
    resume: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string' },
    distinct: { type: 'boolean', default: false },
  },
});

const started = Date.now();
let laboratory = await openLaboratory();
let ran = 0;
let deaths = 0;
let points = 0;
const failed: string[] = [];
/** Schedules by scenario, and by kind of fault within it. */
const counts = new Map<string, Map<string, number>>();

function countOf({ scenario, faults }: Schedule): void {
  const kind =
    faults.length === 0 ? 'peace' : [...new Set(faults.map((fault) => groupOf(fault.kind)))].sort().join('+');
  const kinds = counts.get(scenario.name) ?? new Map<string, number>();
  counts.set(scenario.name, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
}

/** What the summary says of a schedule. */
type Finished = Pick<Report, 'name' | 'problems' | 'lives'> & { readonly points: number };

function count({ name, problems, lives, points: reached }: Finished): void {
  ran++;
  countOf(parseSchedule(name));
  deaths += Math.max(0, lives - 1);
  points += reached;
  if (problems.length > 0) failed.push(name);
}

function take(report: Report): void {
  count({ ...report, points: report.trace.length });
  if (report.problems.length === 0) return;
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
  for (const name of failed) say(`  npm run test:faults -- --only '${name}'`);
  process.exit(failed.length === 0 && ran > 0 ? 0 : 1);
}
// What ran before it was stopped counts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, summary);

const chosen = scenarios.filter(({ name }) => !values.scenario || values.scenario.split(',').includes(name));
const kinds = values.kind?.split(',');

/**
 * A relayer that has served so many schedules makes room for a new one: its accounts, and the
 * engine's rounds, have become many.
 */
const SCHEDULES_PER_RELAYER = 500;
const SAY_EACH = 250;
/** Longest time to end a relayer or to start one; a loaded machine takes seconds. */
const RELAYER_WITHIN_MS = 300_000;

/** Draws schedules, the scenarios in turn, and keeps on the disk how they ended. */
async function runByChance(traces: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const seed = Number(values.seed);
  const until = values.hours === undefined ? Infinity : started + Number(values.hours) * 3_600_000;
  const runs = values.runs === undefined ? Infinity : Number(values.runs);
  const log = openRunLog(seed, { resume: values.resume });
  const candidates = new Map<string, Candidates>();
  for (const { name } of chosen) candidates.set(name, candidatesOf(traces.get(name) ?? []));
  const before = [...log.lines.values()].filter(({ index }) => index < runs && log.isDone(index));
  before.forEach(count);
  say(`seed ${seed}: ${before.length} schedules done before; ${log.path}`);
  let index = 0;
  while (index < runs && Date.now() < until) {
    const numbers = new Map<string, number>();
    const part: Schedule[] = [];
    for (; index < runs && part.length < SCHEDULES_PER_RELAYER; index++) {
      if (log.isDone(index)) continue;
      const scenario = chosen[index % chosen.length] as (typeof chosen)[number];
      const schedule = drawSchedule(scenario, candidates.get(scenario.name) ?? new Map(), seed, index);
      numbers.set(formatSchedule(schedule), index);
      part.push(schedule);
    }
    const untilTimeIsUp = (function* () {
      for (const schedule of part) if (Date.now() < until) yield schedule;
    })();
    await runAll(laboratory, untilTimeIsUp, (report) => {
      take(report);
      const { name, problems, lives, trace } = report;
      log.add({ index: numbers.get(name) ?? -1, name, problems, lives, points: trace.length });
      if (ran % SAY_EACH === 0) say(`${ran} schedules, ${failed.length} failed`);
    });
    if (index >= runs || Date.now() >= until) break;
    await within(RELAYER_WITHIN_MS, () => 'the end of a relayer', laboratory.close());
    laboratory = await within(RELAYER_WITHIN_MS, () => 'the start of a relayer', openLaboratory());
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
  // Faults are drawn from the points that a scenario reaches in peace.
  if (failed.length > 0) summary();
  if (values.runs !== undefined || values.hours !== undefined) await runByChance(traces);
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
