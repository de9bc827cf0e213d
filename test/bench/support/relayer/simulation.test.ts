import { describe, expect, test } from 'vitest';
import { type Costs, largestRate, type Place, simulate } from './simulation.ts';

/** What the simulation says where it can be worked out by hand. */

const free: Costs = {
  main: 0.001,
  signature: 0.001,
  store: 0.001,
  match: 0.001,
  matchStore: 0.001,
  trades: 1,
  flush: 0.1,
  roots: 0.001,
};
const one: Place = { processes: 1, engines: 1, databaseCores: 1, accounts: 100_000_000 };
/** 4 ms in all with the client's 0.4, at most 1.4 of them on one thread. */
const cores = { main: 0.8, signature: 1, store: 0.4, match: 0.6, matchStore: 0.4, roots: 0.4 };
/** Accounts in turn: no transaction waits for an account. */
const alone = { machine: { cores: 9, client: 0.001 } };
const carried = (costs: Partial<Costs>, place: Partial<Place> = {}) =>
  largestRate({ ...free, ...costs }, { ...one, ...place }, 4).rate;

describe('the slowest part is the limit:', () => {
  test.each([
    ['a process', { main: 5 }, {}, 200],
    ['its signature thread', { signature: 2 }, {}, 500],
    ['five processes', { main: 5 }, { processes: 5 }, 1_000],
    ['one core of the database', { store: 3, matchStore: 2 }, {}, 200],
    ['four cores', { store: 3, matchStore: 2 }, { databaseCores: 4, processes: 8, engines: 8 }, 800],
    ['the thread of the state tree', { roots: 5 }, {}, 200],
    ['four such threads', { roots: 5 }, { rootThreads: 4 }, 800],
    ['one core with everything on it', cores, { machine: { cores: 1, client: 0.4 } }, 250],
    ['two cores with everything on them', cores, { machine: { cores: 2, client: 0.4 } }, 500],
    [
      'the main thread of a process that also matches',
      { main: 3, match: 2 },
      { machine: { cores: 9, client: 0.4 } },
      200,
    ],
    ['an engine whose steps of 100 orders wait for every second flush', { flush: 25 }, alone, 2_000],
  ] as const)('%s', (_what, costs, place, limit) => {
    const rate = carried(costs, place);
    expect(rate).toBeGreaterThan(limit * 0.85);
    expect(rate).toBeLessThan(limit * 1.1);
  });
});

test('engines that trade for the same accounts carry less than their sum', () => {
  const [single, five] = [carried({ match: 4 }), carried({ match: 4 }, { engines: 5 })];
  expect(five).toBeGreaterThan(2.5 * single);
  expect(five).toBeLessThan(4.8 * single);
});

test('a queue waits as the formula of Pollaczek and Khinchin says', () => {
  // Work of 1 ms at 80 % of what the server can do: half of 0.8 / (1 - 0.8) ms on average, and less
  // for the median.
  const { median, busy } = simulate({ ...free, signature: 1 }, one, 800, 15);
  expect(busy.signature).toBeCloseTo(0.8, 1);
  expect(median).toBeGreaterThan(1 + 0.8);
  expect(median).toBeLessThan(1 + 2.6);
});

test('each connection of a closed loop waits for its answer', () => {
  // One order at a time: 4 ms of work and a flush of 1 ms.
  const { perSecond, p99 } = simulate({ ...free, main: 4, flush: 1 }, one, { connections: 1 }, 3);
  expect(perSecond).toBeCloseTo(200, -1);
  expect(p99).toBeCloseTo(5, 0);
  expect(simulate({ ...free, main: 4 }, one, { connections: 64 }, 10).perSecond).toBeCloseTo(250, -1);
});

test('accounts that everybody uses make transactions wait, and rarely used ones do not', () => {
  const costs = { ...free, store: 1, flush: 20 };
  const crowd = simulate(costs, { ...one, processes: 50, databaseCores: 50 }, 5_000, 5);
  const alone = simulate(costs, { ...one, processes: 1, databaseCores: 50, engines: 1 }, 50, 5);
  expect(crowd.lockWaits).toBeGreaterThan(0.05);
  expect(alone.lockWaits).toBeLessThan(0.02);
});

test('the same seed is the same run', () => {
  const run = (seed: number) => simulate(free, one, 1_000, 2, seed);
  expect(run(7)).toEqual(run(7));
  expect(run(8)).not.toEqual(run(7));
});
