import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { entries, get, set } from 'idb-keyval';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { compactFiles } from '../../scripts/build/compactCatalogs.ts';
import { createStores } from '../../src/storage/stores.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { ORDER, PASSWORD, question, resultOf, SITE, setUp, until } from './support.ts';

const relayer = await relayerOfFile();

/** What the browser was given to show. */
const notes: { title: string; message: string }[] = [];
const cleared: string[] = [];
let allowed: boolean;
/** What was sent to tabs, and to which document there. */
let sent: [tabId: number, message: { readonly origin: string; readonly message: object }, to: object][] = [];
const listen = { addListener() {} };
const session = new Map<string, unknown>([['approval-window', 'garbage']]);
const sessionArea = {
  get: async (keys: string[]) => Object.fromEntries(keys.map((key) => [key, session.get(key)])),
  async set(values: object) {
    for (const [key, value] of Object.entries(values)) session.set(key, value);
  },
  async remove(keys: string[]) {
    for (const key of keys) session.delete(key);
  },
  clear: vi.fn(async () => {}),
};
const storedArea = { onChanged: listen, clear: vi.fn(async () => {}) };
/**
 * Windows that were opened, and those that were brought to front; a browser throws for an id that
 * is no number.
 */
const windows = { opened: [] as string[], raised: [] as number[] };
/** What the listener of clicks on notifications hears. */
let clicked: (id: string) => void = () => {};
let permitted = () => {};
const calls = { platformInfo: 0 };
let hangUp: () => void = () => {};
/** What the content script of the tab answers, and what the browser knows of the tab. */
let told: () => Promise<unknown>;
let tab: () => Promise<object>;

// The polyfill takes a `browser` that is there already. Only the browser is played; catalogs and
// ports are the real ones.
vi.stubGlobal('chrome', { runtime: { id: 'test' } });
const browser = {
  runtime: {
    id: 'test',
    getURL: (path: string) => path,
    async getPlatformInfo() {
      calls.platformInfo += 1;
    },
    connect: () => ({
      onDisconnect: {
        addListener(listener: () => void) {
          hangUp = listener;
        },
      },
      disconnect() {},
    }),
  },
  storage: { local: storedArea, session: sessionArea },
  tabs: {
    async sendMessage(...all: (typeof sent)[number]) {
      sent.push(all);
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
  permissions: {
    contains: async () => allowed,
    onAdded: {
      addListener(listener: () => void) {
        permitted = listener;
      },
    },
  },
  notifications: {
    create: async (_: string, note: { title: string; message: string }) => notes.push(note),
    onClicked: {
      addListener(listener: typeof clicked) {
        clicked = listener;
      },
    },
    clear: async (id: string) => cleared.push(id),
  },
};
vi.stubGlobal('browser', browser);
const files = compactFiles();
const { fetch } = globalThis;
vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) =>
  String(input).startsWith('texts/')
    ? new Response(files.get(String(input).replace('texts/', '')))
    : fetch(input, init),
);
vi.stubGlobal('navigator', { languages: ['es-AR', 'en'] });
afterAll(() => vi.unstubAllGlobals());

const { createBrowserPorts, onNotificationClicked, pageSpoke } = await import(
  '../../src/background/worker/browserPorts.ts'
);
const {
  clearNotification,
  clearStorage,
  connectWallet,
  copy,
  isPresent,
  local,
  notify,
  showApproval,
  toAllPages,
  toPage,
} = createBrowserPorts(() => {});

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

test('a notification can be taken back, and without the permission there is none', () => {
  clearNotification('s1');
  const { notifications } = browser;
  Object.assign(browser, { notifications: undefined });
  clearNotification('s2');
  Object.assign(browser, { notifications });
  expect(cleared).toEqual(['s1']);
});

test('nothing is shown when the user has not allowed notifications', async () => {
  allowed = false;
  await notify('s1', ...KEYS, 'de');
  expect(notes).toEqual([]);
});

const none = () => Promise.reject(new Error('no tab'));
const never = () => new Promise<never>(() => {});

test('what is for a site goes to the documents from which it has spoken, and to no other', async () => {
  told = async () => undefined;
  sent = [];
  const message = { event: 'accountsChanged', data: [] } as const;
  const of = (origin: string) => ({ type: 'to-page', origin, message });
  await toAllPages('https://site.example', message);
  expect(sent).toEqual([]);
  const speak = (tabId: number, origin: string, frameDocument: string) => {
    const caller = { kind: 'page', tabId, origin, frameDocument } as const;
    pageSpoke(caller);
    return caller;
  };
  const first = speak(1, 'https://site.example', 'first');
  const other = speak(2, 'https://other.example', 'other');
  speak(3, 'https://site.example', 'reloaded');
  const second = speak(3, 'https://site.example', 'second');
  const after = speak(3, 'https://other.example', 'after');
  await toAllPages('https://site.example', message);
  await toPage(3, 'https://site.example', message);
  expect(sent).toEqual([
    [1, of('https://site.example'), { documentId: 'first' }],
    [3, of('https://site.example'), { documentId: 'second' }],
    [3, of('https://site.example'), { documentId: 'second' }],
  ]);
  sent = [];
  await expect(toPage(2, 'https://site.example', message)).rejects.toThrow('the site has not spoken from this tab');
  expect(sent).toEqual([]);
  // The next worker knows it too; a document that is gone is forgotten.
  expect(session.get('spoken-tabs')).toEqual([first, other, second, after]);
  told = none;
  await toAllPages('https://other.example', message);
  await expect.poll(() => session.get('spoken-tabs')).toEqual([first, second]);
});

test('a browser that names no documents says what a tab shows before it is told anything', async () => {
  const origin = 'https://nameless.example';
  pageSpoke({ kind: 'page', tabId: 8, origin });
  const message = { event: 'accountsChanged', data: [] } as const;
  told = async () => undefined;
  sent = [];
  tab = async () => ({ url: `${origin}/path` });
  await toPage(8, origin, message);
  expect(sent).toEqual([[8, { type: 'to-page', origin, message }, { frameId: 0 }]]);
  sent = [];
  for (const url of ['https://nameless.example.evil/', 'https://other.example/', undefined]) {
    tab = async () => ({ url });
    await expect(toPage(8, origin, message)).rejects.toThrow('the tab shows another site');
  }
  await toAllPages(origin, message);
  await expect.poll(() => JSON.stringify(session.get('spoken-tabs'))).not.toContain(origin);
  expect(sent).toEqual([]);
});

test('events are sent to every tab of a site without waiting for one that takes nothing', async () => {
  const origin = 'https://hung.example';
  for (const tabId of [4, 5]) pageSpoke({ kind: 'page', tabId, origin, frameDocument: `in ${tabId}` });
  told = never;
  sent = [];
  await toAllPages(origin, { event: 'accountsChanged', data: [] });
  expect(sent.map(([tabId]) => tabId)).toEqual([4, 5]);
});

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

test('what goes with the vault or takes a right back is on the disk as soon as it is written, what can be lost is not waited for', async () => {
  const asked: (IDBTransactionOptions | undefined)[] = [];
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
  for (const key of ['config', 'sites', 'wiping', 'told']) {
    transaction.mockClear();
    await local.set({ [key]: key });
    asked.push(...transaction.mock.calls.map(([, , options]) => options));
  }
  transaction.mockRestore();
  expect(asked.map((options) => options?.durability)).toEqual(['strict', 'strict', 'strict', 'relaxed']);
  await local.remove(['config', 'sites', 'wiping', 'told']);
});

test('a wipe that a store refuses keeps its mark until every other store is empty', async () => {
  // What the next start finds, past what this worker remembers.
  const state = createStores('countersign-state', 'entries').strict;
  await local.set({ wiping: true });
  const refused = new Error('the disk refuses');
  for (const area of [storedArea.clear, sessionArea.clear]) {
    area.mockRejectedValueOnce(refused);
    await expect(clearStorage()).rejects.toBe(refused);
    expect(await get('wiping', state)).toBe(true);
  }
  await clearStorage();
  expect(await get('wiping', state)).toBeUndefined();
});

test('a wipe deletes a database that does not open, and the worker goes on with a new one', async () => {
  const { vaultStore, journalStore, requestStore, clearStorage } = createBrowserPorts(() => {});
  for (const store of [vaultStore, requestStore]) await set('key', 'there', store);
  const { open, deleteDatabase } = indexedDB;
  let damaged: string | undefined = 'countersign-journal';
  vi.spyOn(indexedDB, 'open').mockImplementation((name) => {
    if (name === damaged) throw new DOMException('no such file', 'UnknownError');
    return open.call(indexedDB, name);
  });
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation((name) => {
    if (name === damaged) damaged = undefined;
    return deleteDatabase.call(indexedDB, name);
  });
  await clearStorage();
  for (const store of [vaultStore, journalStore, requestStore]) {
    expect(await entries(store)).toEqual([]);
    await set('key', 'new', store);
    expect(await get('key', store)).toBe('new');
  }
  vi.restoreAllMocks();
});

test('an approval window opens although the stored id of the last one cannot be read', async () => {
  await showApproval('a');
  await showApproval('b');
  expect(windows).toEqual({ opened: ['src/ui/approval.html?id=a'], raised: [7] });
});

test('a click on the notification of a request that waits opens its window, on another none', async () => {
  const shown = () => windows.opened.length + windows.raised.length;
  const before = shown();
  onNotificationClicked();
  clicked('id of a submission');
  clicked('waits:some-id');
  await until(async () => shown() > before);
  expect(shown()).toBe(before + 1);
});

test('a click is heard in the worker in which the user allows notifications', () => {
  const { notifications } = browser;
  Object.assign(browser, { notifications: undefined });
  clicked = () => {};
  onNotificationClicked();
  Object.assign(browser, { notifications });
  const before = clicked;
  permitted();
  expect(clicked).not.toBe(before);
});

test.each(['closed', 'ended by the other side'])('a port to another wallet keeps the worker until it is %s', (how) => {
  vi.useFakeTimers();
  try {
    calls.platformInfo = 0;
    const port = connectWallet('other');
    port.onDisconnect(() => {});
    vi.advanceTimersByTime(60_000);
    expect(calls.platformInfo).toBe(3);
    if (how === 'closed') port.close();
    else hangUp();
    vi.advanceTimersByTime(60_000);
    expect(calls.platformInfo).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

describe('pages that take nothing', () => {
  const OTHER = 'https://other.example';
  /** A wallet and two sites with one such page each. */
  async function hung() {
    told = never;
    sent = [];
    for (const origin of [SITE, OTHER]) pageSpoke({ kind: 'page', tabId: 1, origin, frameDocument: origin });
    const setting = await setUp(relayer, { toPage, toAllPages });
    return { ...setting, inner: setting.wallet.background().wallet };
  }
  const toldTo = (origin: string) => sent.flatMap(([, all]) => (all.origin === origin ? all.message : []));

  test('hold up neither lock nor unlock, nor what is resumed after it', async () => {
    const { wallet, inner } = await hung();
    await wallet.ui('lock', {});
    expect(toldTo(SITE)).toContainEqual({ event: 'message', data: { type: 'relayer_lock', data: { locked: true } } });
    void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet, 'locked');
    await wallet.ui('unlock', { password: PASSWORD });
    await wallet.background().onWake();
    const ready = await question(wallet);
    expect(ready.id).toBe(view.id);
    await wallet.ui('approve', {
      id: view.id,
      digest: ready.digest ?? '',
      account: ready.account?.id ?? null,
      password: PASSWORD,
    });
    await until(async () => (await inner.journal.list({ states: ['acknowledged'] })).length === 1);
  });

  test('do not keep another site from connecting', async () => {
    const { wallet, accountView } = await hung();
    const answer = wallet.page(OTHER, 'eth_requestAccounts');
    const { id, digest } = await question(wallet);
    await wallet.ui('approve', { id, digest: digest ?? '', account: null, accounts: [accountView] });
    expect(resultOf<string[]>(await answer)).toHaveLength(1);
  });

  test('keep no right: what a site may sign without a window ends with its connection', async () => {
    const { wallet, inner, accountView } = await hung();
    const limits = {
      ...{ sellTokenId: 1, buyTokenId: 0, minPrice: '0.0004', orderVolume: '1000', totalVolume: '3000' },
      ...{ rate: { requests: 100, seconds: 60 }, validUntil: Math.floor(Date.now() / 1000) + 3_600 },
    };
    const allowed = wallet.page(SITE, 'relayer_requestStandingApproval', [limits]);
    const { id, digest } = await question(wallet);
    await wallet.ui('approve', { id, digest: digest ?? '', account: accountView, password: PASSWORD });
    resultOf(await allowed);
    // One that waits is closed too, and its page is told.
    void wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, buyToken: { tokenId: 0, volume: '1' } }]);
    await question(wallet);
    expect(await inner.standing.active({ origin: SITE })).toHaveLength(1);
    await wallet.ui('revokeSite', { origin: SITE });
    expect(await inner.standing.active({ origin: SITE })).toEqual([]);
    expect(await inner.approvals.open()).toEqual([]);
    expect(toldTo(SITE)).toContainEqual(expect.objectContaining({ error: expect.objectContaining({ code: 4100 }) }));
  });
});
