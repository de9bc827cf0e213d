import { expect, test } from 'vitest';
import { createRequestRate } from '../../src/background/approvals/store/requestRate.ts';
import { createMutex } from '../../src/background/lifecycle/mutex.ts';
import { createFaultyArea } from '../support/faultyArea.ts';

const SITE = 'https://site.example';
const HOUR = 3_600_000;

test('a clock that is set back neither takes requests from a site nor gives it more', async () => {
  let now = 100 * HOUR;
  const rate = createRequestRate({ now: () => now, session: createFaultyArea().area }, createMutex());
  const isSpent = async () => {
    const counted = await rate.countRequest(SITE, now);
    if (!counted.isSpent) await counted.keep();
    return counted.isSpent;
  };
  for (let asked = 0; asked < 10; asked++) expect(await isSpent()).toBe(false);
  now -= HOUR;
  for (let asked = 0; asked < 10; asked++) expect(await isSpent()).toBe(false);
  expect(await isSpent()).toBe(true);
  now -= HOUR;
  expect(await isSpent()).toBe(true);
  now += 2_000;
  expect(await isSpent()).toBe(true);
});
