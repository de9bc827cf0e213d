import { createWalletClient, custom } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForSubmission } from '../../src/viem/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const silent = createWalletClient({ transport: custom({ request: () => new Promise(() => {}) }) });

test('a wait for a wallet that never answers ends after three minutes', async () => {
  const waited = waitForSubmission(silent, { requestId: 'any' }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(180_000);
  expect(await waited).toMatchObject({ name: 'WaitTimeoutError', requestId: 'any', status: null });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([30 * 86_400_000, Number.POSITIVE_INFINITY])('a wait of %d ms does not end at once', async (timeout) => {
  const given = new AbortController();
  const waited = waitForSubmission(silent, { requestId: 'any', timeout, signal: given.signal });
  const ended = expect(waited).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(20 * 86_400_000);
  given.abort(new Error('enough'));
  await ended;
});

test('a wait with timeout 0 goes on until it is aborted', async () => {
  const given = new AbortController();
  let isStopped = false;
  const waited = waitForSubmission(silent, { requestId: 'any', timeout: 0, signal: given.signal }).finally(() => {
    isStopped = true;
  });
  const ended = expect(waited).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(isStopped).toBe(false);
  given.abort(new Error('enough'));
  await ended;
});
