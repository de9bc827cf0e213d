import { expect, test, vi } from 'vitest';
import { atEndOfFile } from './atEndOfFile.ts';
import { leaveNothing } from './leaveNothing.ts';

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

test('what a file left running ends with it, once', () => {
  let ends = 0;
  atEndOfFile(() => ends++);
  leaveNothing();
  leaveNothing();
  expect(ends).toBe(1);
});
