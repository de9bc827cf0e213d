import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openClock } from '../../src/relayer/engine/clock.ts';
import { START_TIMEOUT_MS, startOnPostgres } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';

const TEN_MINUTES = 600_000;

let test: TestRelayer;
beforeAll(async () => {
  test = await startOnPostgres();
}, START_TIMEOUT_MS);
afterAll(() => test.close());
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a machine's clock that is set", () => {
  it('does not move the time of the relayer, and is told of as the distance from the database', async () => {
    const clock = await openClock(test.relayer.db);
    const real = Date.now;
    for (const step of [TEN_MINUTES, -TEN_MINUTES]) {
      const before = clock.now();
      vi.spyOn(Date, 'now').mockImplementation(() => real() + step);
      expect(Math.abs(clock.now() - before)).toBeLessThan(TEN_MINUTES / 2);
      await clock.reload();
      expect(Math.abs(clock.now() - before)).toBeLessThan(TEN_MINUTES / 2);
      expect(Math.abs(clock.skew() - step)).toBeLessThan(TEN_MINUTES / 2);
    }
  });
});
