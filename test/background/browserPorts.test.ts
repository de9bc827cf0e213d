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
});
vi.stubGlobal(
  'fetch',
  async (path: string) => new Response(readFileSync(resolve(import.meta.dirname, '../../public', path))),
);
vi.stubGlobal('navigator', { languages: ['es-AR', 'en'] });
afterAll(() => vi.unstubAllGlobals());

const { createBrowserPorts } = await import('../../src/background/worker/browserPorts.ts');
const { notify } = createBrowserPorts(() => {});

beforeEach(() => {
  notes.length = 0;
  allowed = true;
});

const KEYS = ['operation_transfer', 'statusProcessedMeaning'] as const;

const textsOf = (language: string) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `../../public/texts/${language}.json`), 'utf8')) as Record<
    string,
    string
  >;

test.each([
  ['en', 'en'],
  ['de', 'de'],
  ['es', 'es'],
  ['system', 'es'],
  ['xx', 'en'],
])('a notification speaks the language of the setting: %s', async (setting, language) => {
  await notify('s1', ...KEYS, setting);
  const texts = textsOf(language);
  expect(notes).toMatchObject([{ title: texts[KEYS[0]], message: texts[KEYS[1]] }]);
  expect(texts[KEYS[0]]).toMatch(/\S/);
});

test('nothing is shown when the person has not allowed notes', async () => {
  allowed = false;
  await notify('s1', ...KEYS, 'de');
  expect(notes).toEqual([]);
});
