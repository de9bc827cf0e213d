import { kindsAt } from './enumerate.ts';
import { clockJumps, type Fault, falseRefusals, isEnd, networkFaults, parseFault } from './plan.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import type { Schedule } from './schedule.ts';

/** What a fault breaks; a group is drawn first, so that those with few points come as well. */
const groups = ['end', 'answer', 'refusal', 'clock', 'full', 'shut', 'lose'] as const;
type Group = (typeof groups)[number];
/** Drawn as often as they stand here. */
const groupDraw: readonly Group[] = [
  ...Array<Group>(6).fill('end'),
  ...Array<Group>(5).fill('answer'),
  ...Array<Group>(4).fill('refusal'),
  ...Array<Group>(3).fill('clock'),
  ...Array<Group>(2).fill('full'),
  ...Array<Group>(3).fill('shut'),
  'lose',
];
/** Faults of one schedule, drawn as often as they stand here. */
const faultCounts = [1, 1, 2, 2, 3];

export function groupOf(kind: Fault['kind']): Group {
  if (isEnd(kind)) return 'end';
  if (kind in clockJumps) return 'clock';
  if (kind in falseRefusals) return 'refusal';
  return (networkFaults as readonly string[]).includes(kind) ? 'answer' : (kind as 'full' | 'shut' | 'lose');
}

/**
 * How often each point is reached in peace, by the kinds of fault that can happen there, by group.
 */
export type Candidates = ReadonlyMap<Group, ReadonlyMap<string, ReadonlyMap<string, number>>>;

/** @param trace - points that the scenario reaches in peace, in all of its browsers. */
export function candidatesOf(trace: readonly string[]): Candidates {
  const found = new Map<Group, Map<string, Map<string, number>>>();
  for (const point of trace)
    for (const kind of kindsAt(point)) {
      const { kind: plain, label } = parseFault(`${kind}@${point}`);
      const kinds = found.get(groupOf(plain)) ?? new Map<string, Map<string, number>>();
      found.set(groupOf(plain), kinds);
      const labels = kinds.get(kind) ?? new Map<string, number>();
      kinds.set(kind, labels.set(label, (labels.get(label) ?? 0) + 1));
    }
  return found;
}

/** FNV-1a with the last steps of murmur3: 32 bits that depend on every character. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The name that a salt ranks first: it stays the same when other names come or go. */
const pickName = (names: Iterable<string>, salt: number): string =>
  [...names].reduce((best, name) => (hash32(`${salt}/${name}`) > hash32(`${salt}/${best}`) ? name : best));

/**
 * Number of times that a point is reached, made coarse: from one run to the next timing moves it by
 * a few. A worker that was ended reaches some points again, so higher ones count too.
 */
const spanOf = (count: number): number => (count < 4 ? count + 1 : 2 ** Math.floor(Math.log2(count)) * 1.5);

function drawFault(candidates: Candidates, random: Random, without: ReadonlySet<Group>): Fault {
  for (;;) {
    const group = random.pick(groupDraw);
    const salt = random.below(2 ** 32);
    const depth = random.below(2 ** 16) / 2 ** 16;
    const kinds = candidates.get(group);
    if (!kinds || without.has(group)) continue;
    const kind = pickName(kinds.keys(), salt);
    const labels = kinds.get(kind) ?? new Map<string, number>();
    const label = pickName(labels.keys(), salt ^ 0x5bd1e995);
    return parseFault(`${kind}@${label}#${1 + Math.floor(depth * spanOf(labels.get(label) ?? 1))}`);
  }
}

/**
 * Schedule number `index` of a seed: one to three faults at once. The same seed and number draw the
 * same faults as long as the scenario reaches the same points.
 */
export function drawSchedule(scenario: Scenario, candidates: Candidates, seed: number, index: number): Schedule {
  const random = createRandom(hash32(`${seed}/${index}`));
  const count = random.pick(faultCounts);
  const faults: Fault[] = [];
  while (faults.length < count) {
    // What has lost both sides has lost everything, and no wallet could go on.
    const lost = faults.some(({ kind }) => kind === 'lose');
    faults.push(drawFault(candidates, random, new Set(lost ? ['lose'] : [])));
  }
  return { scenario, faults };
}
