import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

/** What the browser was given to show. */
const notes: { title: string; message: string }[] = [];
let allowed: boolean;
const listen = { addListener() {} };

// The polyfill takes a `browser` that is there already. Only the browser is played; catalogs and ports are the real ones.
vi.stubGlobal('chrome', { runtime: { id: 'test' } });
vi.stubGlobal('browser', {
  runtime: { id: 'test', getURL: (path: string) => path },
  storage: { local: { onChanged: listen }, session: {} },
  alarms: { onAlarm: listen },
  permissions: { contains: async () => allowed },
  notifications: { create: async (_: string, note: { title: string; message: string }) => notes.push(note) },
  i18n: { getMessage: (key: string) => `the browser's ${key}` },
});
vi.stubGlobal(
  'fetch',
  async (path: string) => new Response(readFileSync(resolve(import.meta.dirname, '../../public', path))),
);
afterAll(() => vi.unstubAllGlobals());

const { createBrowserPorts } = await import('../../src/background/browserPorts.ts');
const { notify } = createBrowserPorts(() => {});

beforeEach(() => {
  notes.length = 0;
  allowed = true;
});

const KEYS = ['operation_transfer', 'statusProcessedMeaning'] as const;

test.each(['en', 'de', 'es'])('a note speaks the language that the settings choose: %s', async (language) => {
  await notify('s1', ...KEYS, language);
  const file = resolve(import.meta.dirname, `../../public/_locales/${language}/messages.json`);
  const catalog = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { message: string }>;
  expect(notes).toMatchObject([{ title: catalog[KEYS[0]]?.message, message: catalog[KEYS[1]]?.message }]);
  expect(catalog[KEYS[0]]?.message).toMatch(/\S/);
});

test.each(['system', 'xx'])('and the browser\'s own for "%s"', async (language) => {
  await notify('s1', ...KEYS, language);
  expect(notes).toMatchObject([{ title: "the browser's operation_transfer" }]);
});

test('nothing is shown when the person has not allowed notes', async () => {
  allowed = false;
  await notify('s1', ...KEYS, 'de');
  expect(notes).toEqual([]);
});
