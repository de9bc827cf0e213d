import { expect, test, vi } from 'vitest';
import { atEndOfFile, endFile } from './atEndOfFile.ts';
import { leaveNothing } from './leaveNothing.ts';
import { createWalletHarness } from './wallet.ts';

test('clocks, globals, environment and methods are what they were', () => {
  const before = [Date.now, globalThis.fetch, process.env.LANG, JSON.stringify];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => {});
  vi.stubEnv('LANG', 'xx');
  vi.spyOn(JSON, 'stringify');
  const during = [Date.now, globalThis.fetch, process.env.LANG, JSON.stringify];
  expect(during.filter((value, at) => value === before[at])).toEqual([]);
  leaveNothing();
  expect([Date.now, globalThis.fetch, process.env.LANG, JSON.stringify]).toEqual(before);
});

test('a clock that a spy would put back is refused, and is the real one again', () => {
  const real = setTimeout;
  vi.useFakeTimers();
  vi.spyOn(globalThis, 'setTimeout');
  vi.useRealTimers();
  expect(leaveNothing).toThrow('spy on nothing');
  expect(setTimeout).toBe(real);
});

test('what a file left running ends with it, once', () => {
  let ends = 0;
  atEndOfFile(() => ends++);
  leaveNothing();
  leaveNothing();
  expect(ends).toBe(1);
});

test('a page that still waits for its wallet asks no more', async () => {
  const wallet = createWalletHarness();
  const answered = vi.fn();
  void wallet.page('https://dapp.example', 'eth_requestAccounts').then(answered);
  await vi.waitFor(() => expect(wallet.shown).toHaveLength(1), { timeout: 240_000 });
  const asked = vi.spyOn(wallet.background(), 'onMessage');
  const count = () => asked.mock.calls.length;
  await vi.waitFor(() => expect([count() > 1, answered.mock.calls]).toEqual([true, []]), { timeout: 240_000 });
  const before = count();
  endFile();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(count()).toBeLessThanOrEqual(before + 1);
  expect(answered).not.toHaveBeenCalled();
});
