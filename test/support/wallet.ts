import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { WebSocket } from 'ws';
import { type Background, createBackground } from '../../src/background/createBackground.ts';
import type { Ports } from '../../src/background/ports.ts';
import type { Sender } from '../../src/background/sites/sender.ts';
import type { PageMessage, ProviderErrorShape } from '../../src/inpage/protocol.ts';
import type { UiAnswer, UiMethod, UiParams, UiResults } from '../../src/messaging/uiMethods.ts';
import type { KeyValueArea } from '../../src/storage/area.ts';
import { createStores } from '../../src/storage/stores.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { createFaultyArea } from './faultyArea.ts';
import { createPromiseLock } from './promiseLock.ts';
import { quickTimer } from './quickTimer.ts';
import { repeatedSalts } from './repeatedSalts.ts';
import { storedValueOf } from './storedValueOf.ts';

globalThis.IDBKeyRange ??= IDBKeyRange;

export const PASSWORD = 'correct horse battery staple';

export const SELF = {
  id: 'nfdlcigheabhlfmdgcmjmendohihdmdp',
  baseUrl: 'chrome-extension://nfdlcigheabhlfmdgcmjmendohihdmdp/',
};
export const UI_SENDER: Sender = { id: SELF.id, url: `${SELF.baseUrl}src/ui/popup.html` };

/** The sender that the browser reports for the top frame of a tab. */
export const pageSender = (origin: string, tabId = 1): Sender => ({
  id: SELF.id,
  url: `${origin}/`,
  origin,
  frameId: 0,
  tab: { id: tabId },
});

/** The document that asks, unless a test names another. */
const DOCUMENT = '00000000-0000-4000-8000-000000000000';

/** No other extension is installed: the browser closes the port at once. */
export const nobody: Ports['connectWallet'] = () => ({
  post() {},
  onMessage() {},
  onDisconnect: (listener) => queueMicrotask(listener),
  close() {},
});

export type PageOutcome = { readonly result: unknown } | { readonly error: ProviderErrorShape };

const ANSWERING_AT_ONCE: ReadonlySet<string | symbol> = new Set(['now', 'uuid', 'randomBytes', 'connectWallet']);
const ANSWERING_NOTHING: ReadonlySet<string | symbol> = new Set(['toUi', 'wakeAt', 'watchIdle']);

/**
 * The ports of one life of the worker. When it has ended, nothing that it still does reaches
 * anything but `connectWallet`, and nothing answers it.
 */
function createLife(ports: Ports) {
  let isStopped = false;
  let end = () => {};
  const over = new Promise<undefined>((resolve) => {
    end = () => {
      isStopped = true;
      resolve(undefined);
    };
  });
  const alive = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown;
        if (typeof value === 'object' && value !== null) return alive(value);
        if (typeof value !== 'function' || ANSWERING_AT_ONCE.has(key)) return value;
        const unheard = () => (ANSWERING_NOTHING.has(key) ? undefined : new Promise(() => {}));
        return (...given: unknown[]) => (isStopped ? unheard() : value(...given));
      },
    });
  return { ports: alive(ports), end, over };
}

const valuesOf = ({ entries }: ReturnType<typeof createFaultyArea>): Record<string, unknown> =>
  Object.fromEntries([...entries].map(([key, text]) => [key, JSON.parse(text) as unknown]));

/**
 * The real background over real stores (IndexedDB semantics in memory), with a browser's side that
 * the test can look at. `restart` drops the worker's memory and starts another on the same stores,
 * as the browser does.
 * @param quietMs - See `keepStartupSnapshot`.
 */
export function createWalletHarness(changes: Partial<Ports> = {}, quietMs?: number) {
  const databases = new IDBFactory();
  const vault = createStores('vault', 'entries', databases);
  const journal = createStores('journal', 'entries', databases);
  const requests = createStores('requests', 'entries', databases);
  const local = createFaultyArea();
  const copy = createFaultyArea();
  const session = createFaultyArea();
  /** Keys that something wrote and that the table of stored values does not have. */
  const unregistered = new Set<string>();
  const registered = (area: KeyValueArea, store: 'local' | 'copy' | 'session'): KeyValueArea => ({
    ...area,
    async set(values) {
      for (const key of Object.keys(values)) if (!storedValueOf(store, key)) unregistered.add(`${store} ${key}`);
      if (unregistered.size > 0) throw new Error(`not in the table of stored values: ${[...unregistered].join(', ')}`);
      return area.set(values);
    },
  });
  const shown: string[] = [];
  const pushed: { origin: string; message: PageMessage }[] = [];
  const notes: { id: string; title: string; message: string; language: string }[] = [];
  let badge = 0;
  /** Documents that are not there any more. */
  const gone = new Set<string>();
  const ports: Ports = {
    now: Date.now,
    timer: quickTimer(10),
    uuid: () => crypto.randomUUID(),
    randomBytes: repeatedSalts(),
    fetch: (input, init) => fetch(input, init),
    openSocket: (url) => new WebSocket(url) as never,
    local: registered(local.area, 'local'),
    copy: registered(copy.area, 'copy'),
    isCopyApart: false,
    // As in Chromium, where `storage.local` is closed.
    earlier: copy.area,
    session: registered(session.area, 'session'),
    journalStore: journal.strict,
    vaultStore: vault.strict,
    requestStore: requests.strict,
    relaxedRequestStore: requests.relaxed,
    kdfCost: { memoryKiB: 19 * 1024, passes: 2, parallelism: 1 },
    lock: createPromiseLock(),
    connectWallet: nobody,
    async showApproval(id) {
      shown.push(id);
    },
    async toPage(_tabId, origin, message) {
      pushed.push({ origin, message });
    },
    isPresent: async (_tabId, documentId) => !gone.has(documentId),
    async toAllPages(origin, message) {
      pushed.push({ origin, message });
    },
    toUi() {},
    watchIdle() {},
    idleFor: async () => false,
    withheld: async () => [],
    withheldPages: async () => [],
    async clearStorage() {
      local.entries.clear();
      copy.entries.clear();
      session.entries.clear();
      for (const { erase } of [vault, journal, requests]) await erase();
    },
    async setBadge(count) {
      badge = count;
    },
    async notify(id, title, message, language) {
      notes.push({ id, title, message, language });
    },
    clearNotification(id) {
      for (const [index, note] of notes.entries()) if (note.id === id) notes.splice(index, 1);
    },
    wakeAt() {},
    ...changes,
  };
  let life = createLife(ports);
  let background: Background = createBackground(life.ports, SELF, quietMs);
  let isOver = false;
  atEndOfFile(() => {
    isOver = true;
    life.end();
  });

  const uiAnswer = async <M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiAnswer<M>> =>
    (await background.onMessage({ type: 'ui', method, params }, UI_SENDER)) as UiAnswer<M>;

  return {
    ports,
    shown,
    pushed,
    gone,
    /** What is stored in both areas, past the worker. */
    kept: () => ({ local: valuesOf(local), copy: valuesOf(copy), session: valuesOf(session) }),
    unregistered,
    /** Notes of the browser. */
    notes,
    badge: () => badge,
    background: () => background,
    /** The browser stops the worker, and nothing wakes it. */
    stop: () => life.end(),
    restart() {
      life.end();
      // Those of the last life are gone with it.
      if (!changes.lock) ports.lock = createPromiseLock();
      life = createLife(ports);
      background = createBackground(life.ports, SELF, quietMs);
    },
    message: (message: unknown, sender: Sender) => background.onMessage(message, sender),
    uiAnswer,
    async ui<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> {
      const answer = await uiAnswer(method, params);
      if (!answer.ok) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
      return answer.result;
    },
    /** One request of a page, asked again until it is answered, as the content script does. */
    async page(
      origin: string,
      method: string,
      params?: unknown,
      id: string = crypto.randomUUID(),
      tabId?: number,
      documentId = DOCUMENT,
    ): Promise<PageOutcome> {
      for (;;) {
        const answered = background.onMessage(
          { type: 'page', id, method, params, documentId },
          pageSender(origin, tabId),
        );
        const reply = (await Promise.race([answered, life.over])) as PageMessage | { later: true } | undefined;
        if (reply && 'id' in reply) return 'error' in reply ? { error: reply.error } : { result: reply.result };
        // Nobody waits for an answer any more, and nothing may keep the process busy.
        if (isOver) return new Promise(() => {});
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

export type WalletHarness = ReturnType<typeof createWalletHarness>;
