import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';

let relayer: TestRelayer;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  relayer = await startRelayer();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await relayer.close();
  vi.useRealTimers();
});

it('what other processes changed is read by one reading at a time, so that an older one does not end last', async () => {
  const query = vi.spyOn(relayer.relayer.db, 'query');
  const readings = () => query.mock.calls.filter(([text]) => text.includes('clock_offset_ms')).length;
  // No answer of the database comes before the timer has fired many times.
  vi.advanceTimersByTime(10_000);
  expect(readings()).toBe(1);
  await expect.poll(() => query.mock.calls.length).toBeGreaterThan(1);
  await relayer.relayer.db.query('SELECT 1');
  await relayer.relayer.db.query('SELECT 1');
  vi.advanceTimersByTime(1_000);
  expect(readings()).toBe(2);
});
