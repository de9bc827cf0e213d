import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { compactFiles } from '../../scripts/build/compactCatalogs.ts';

/** What the browser was given to show. */
const notes: { title: string; message: string }[] = [];
let allowed: boolean;
/** What was sent to tabs. */
let sent: [number, unknown][] = [];
const session = new Map<string, unknown>([['approval-window', 'garbage']]);
const sessionArea = {
  get: async (keys: string[]) => Object.fromEntries(keys.map((key) => [key, session.get(key)])),
  async set(values: object) {
    for (const [key, value] of Object.entries(values)) session.set(key, value);
  },
  async remove(keys: string[]) {
    for (const key of keys) session.delete(key);
  },
};
/**
 * Windows that were opened, and those that were brought to front; a browser throws for an id that
 * is no number.
 */
const windows = { opened: [] as string[], raised: [] as number[] };
/** What the content script of the tab answers, and what the browser knows of the tab. */
let told: () => Promise<unknown>;
let tab: () => Promise<object>;
const listen = { addListener() {} };

// The polyfill takes a `browser` that is there already. Only the browser is played; catalogs and
// ports are the real ones.
vi.stubGlobal('chrome', { runtime: { id: 'test' } });
vi.stubGlobal('browser', {
  runtime: { id: 'test', getURL: (path: string) => path },
  storage: { local: { onChanged: listen }, session: sessionArea },
  tabs: {
    async sendMessage(tabId: number, message: unknown) {
      sent.push([tabId, message]);
      return told();
    },
    get: () => tab(),
  },
  windows: {
    async create({ url }: { url: string }) {
      windows.opened.push(url);
      return { id: 7 };
    },
    update(id: number) {
      if (!Number.isInteger(id)) throw new TypeError('invalid invocation');
      windows.raised.push(id);
      return Promise.resolve({ id });
    },
  },
  alarms: { onAlarm: listen },
  permissions: { contains: async () => allowed },
  notifications: { create: async (_: string, note: { title: string; message: string }) => notes.push(note) },
});
const files = compactFiles();
vi.stubGlobal('fetch', async (path: string) => new Response(files.get(path.replace('texts/', ''))));
vi.stubGlobal('navigator', { languages: ['es-AR', 'en'] });
afterAll(() => vi.unstubAllGlobals());

const { createBrowserPorts, pageSpoke } = await import('../../src/background/worker/browserPorts.ts');
const { copy, isPresent, local, notify, showApproval, toAllPages } = createBrowserPorts(() => {});

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

test('nothing is shown when the user has not allowed notifications', async () => {
  allowed = false;
  await notify('s1', ...KEYS, 'de');
  expect(notes).toEqual([]);
});

const none = () => Promise.reject(new Error('no tab'));

test('events of a site go to the tabs from which it has spoken, and to no other', async () => {
  told = async () => undefined;
  sent = [];
  const message = { event: 'accountsChanged', data: [] } as const;
  const of = (origin: string) => ({ type: 'to-page', origin, message });
  await toAllPages('https://site.example', message);
  expect(sent).toEqual([]);
  for (const [tabId, origin] of [
    [1, 'https://site.example'],
    [2, 'https://other.example'],
    [3, 'https://site.example'],
    [3, 'https://other.example'],
  ] as const)
    pageSpoke({ kind: 'page', tabId, origin });
  await toAllPages('https://site.example', message);
  expect(sent).toEqual([
    [1, of('https://site.example')],
    [3, of('https://site.example')],
  ]);
  // The next worker knows it too; a tab that is gone is forgotten.
  expect(session.get('spoken-tabs')).toEqual([
    '1 https://site.example',
    '2 https://other.example',
    '3 https://site.example',
    '3 https://other.example',
  ]);
  told = none;
  await toAllPages('https://other.example', message);
  expect(session.get('spoken-tabs')).toEqual(['1 https://site.example', '3 https://site.example']);
});

const never = () => new Promise<never>(() => {});
const later = <T>(ms: number, answer: T) => new Promise<T>((done) => setTimeout(done, ms, answer));

test.each([
  ['says that it is the one', async () => true, none, true],
  ['is another one', async () => false, async () => ({}), false],
  ['has no content script of ours', none, async () => ({}), false],
  ['has one of a version that does not know the question', async () => undefined, async () => ({}), false],
  ['says after a moment that it is another one', () => later(1, false), async () => ({}), false],
  ['is busy and answers later', never, async () => ({}), true],
  ['is in a discarded tab', never, async () => ({ discarded: true }), false],
  ['is in a frozen tab', never, async () => ({ frozen: true }), false],
  ['is in a tab that is closed meanwhile', never, none, false],
])('a document that %s', async (_how, answer, known, present) => {
  told = answer;
  tab = known;
  expect(await isPresent(1, 'document', 5)).toBe(present);
});

test('where storage.local cannot be closed, neither what decides nor its second copy lies there', async () => {
  // This browser's `storage.local` has no way to be written: whoever tried would fail.
  const values = { sites: [{ origin: 'https://site.example', grants: [], blocked: false }], config: { version: 1 } };
  for (const area of [local, copy]) {
    await area.set(values);
    expect(await area.get('sites')).toEqual(values.sites);
  }
  const names = (await indexedDB.databases()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['countersign-state', 'countersign-copy']));
});

test('what goes with the vault is on the disk as soon as it is written, what can be lost is not waited for', async () => {
  const asked: (IDBTransactionOptions | undefined)[] = [];
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
  for (const key of ['config', 'wiping', 'told']) {
    transaction.mockClear();
    await local.set({ [key]: key });
    asked.push(...transaction.mock.calls.map(([, , options]) => options));
  }
  transaction.mockRestore();
  expect(asked.map((options) => options?.durability)).toEqual(['strict', 'strict', 'relaxed']);
  await local.remove(['config', 'wiping', 'told']);
});

test('an approval window opens although the stored id of the last one cannot be read', async () => {
  await showApproval('a');
  await showApproval('b');
  expect(windows).toEqual({ opened: ['src/ui/approval.html?id=a'], raised: [7] });
});
