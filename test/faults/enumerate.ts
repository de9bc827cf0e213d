import { clockJumps, type Fault, type NetworkFault, networkFaults, parseFault } from './plan.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { scenarioNamed } from './scenarios.ts';
import { parseSchedule, type Schedule } from './schedule.ts';

/** Clocks are looked at in few places; a jump matters between two effects, not at each read. */
const isEffect = (point: string) =>
  /:(begin|committed|before|after|held)#/.test(point) || /^(timer|reply|uuid)/.test(point.replace(/^\d:/, ''));
const isRequest = (point: string) => /^(\d:)?(GET|POST|DELETE) [^:]*#/.test(point);
const isWrite = (point: string) => /:quota#/.test(point);
const isKillPoint = (point: string) => !isRequest(point) && !isWrite(point);
/** Reads, clocks and random numbers change nothing: ending there equals ending after the effect before. */
const isQuiet = (point: string) => /(\.read|\.get\(|now|randomBytes|uuid|toUi|wakeAt)[^:]*#/.test(point);

const schedule = (scenario: Scenario, fault: string): Schedule => ({ scenario, faults: [parseFault(fault)] });

/** Every schedule with one fault, from the points that the scenario reaches in peace. */
export function singleFaults(scenario: Scenario, trace: readonly string[]): Schedule[] {
  const first = trace.filter((point) => !/^\d:/.test(point));
  const kills = first.filter(isKillPoint);
  return [
    ...kills.map((point) => schedule(scenario, `kill@${point}`)),
    ...kills.filter(isEffect).map((point) => schedule(scenario, `browser@${point}`)),
    ...first
      .filter(isWrite)
      .flatMap((point) => ['full', 'full*'].map((kind) => schedule(scenario, `${kind}@${point}`))),
    ...first
      .filter(isRequest)
      .flatMap((point) =>
        networkFaults.flatMap((kind: NetworkFault) =>
          [kind, `${kind}*`].map((each) => schedule(scenario, `${each}@${point}`)),
        ),
      ),
    ...first
      .filter((point) => isKillPoint(point) && isEffect(point))
      .flatMap((point) => Object.keys(clockJumps).map((kind) => schedule(scenario, `${kind}@${point}`))),
  ];
}

/** A few of them by chance, those with an effect first: what `npm test` has time for. */
export function sample(schedules: readonly Schedule[], count: number, random: Random): Schedule[] {
  const effective = schedules.filter(({ faults }) =>
    faults.every((fault) => !isQuiet(`${fault.label}#${fault.number}`)),
  );
  return random.shuffle(effective).slice(0, count);
}

/** Two or three faults at once, the second ones anywhere later. */
export function randomFaults(scenario: Scenario, trace: readonly string[], random: Random): Schedule {
  const single = singleFaults(scenario, trace).flatMap(({ faults }) => faults);
  const count = 2 + random.below(2);
  const faults: Fault[] = [];
  while (faults.length < count) {
    const fault = random.pick(single);
    // After a death the same points come again under higher numbers.
    const later = faults.length > 0 && random.below(2) === 0 ? 1 + random.below(4) : 0;
    faults.push({ ...fault, number: fault.number + later });
  }
  return { scenario, faults };
}

/** Schedules that once failed, each under the name of what it found. */
export const regressions: Readonly<Record<string, string>> = {
  'a rejected question and the answer to its page are stored together':
    'order-rejected/kill@session.set(rejections:https://site.example):before#1',
  'a connection is granted and answered after a stop between click and grant': 'connect/kill@lock(sites):held#1',
  'a question and the request that it stands for are stored together': 'order/kill@requests.write:committed#1',
  'an answered order whose worker stopped before the page was told': 'order/kill@toPage:before#1',
  'a full disk while facts are stored leaves the question to its user': 'order/full@requests.write:quota#2',
  'a full disk at the end of an approved order keeps its answer': 'order/full@requests.write:quota#4',
  'a lock while the facts are read leaves the question waiting for the password':
    'order-rejected/clock-on-31d@GET amm/balances:before#1',
  'an order that was signed before the clock jumped beyond its end is sent':
    'order/clock-on-31d@journal.write:committed#2',
  'a full disk before and after signing leaves nothing reserved': 'order/full*@journal.write:quota#2',
};

export const regressionSchedules = (): Schedule[] => Object.values(regressions).map(parseSchedule);

export { createRandom, scenarioNamed };
