import browser from 'webextension-polyfill';
import type { PageMessage } from '../../inpage/protocol.ts';
import { type Catalog, readCatalog } from '../../messaging/catalogs.ts';
import { chooseLanguage } from '../../messaging/languages.ts';
import { expected, metElsewhere, reported } from '../../report/report.ts';
import { databaseArea, type KeyValueArea, readTogether, remembering } from '../../storage/area.ts';
import { checked, entry } from '../../storage/entry.ts';
import { webLock } from '../../storage/lock.ts';
import { createStores } from '../../storage/stores.ts';
import { createMutex } from '../lifecycle/mutex.ts';
import { type Ports, WAITS } from '../ports.ts';
import { CONFIG_KEY, SITES_KEY, WIPING } from '../settings/storedKeys.ts';
import type { PageCaller } from '../sites/sender.ts';
import { createSpokenTabs } from './spokenTabs.ts';

/**
 * Chromium fires alarms at least this far ahead; shorter waits use a timer while the worker lives.
 */
const SHORTEST_ALARM_MS = 30_000;
/** Browsers take no shorter one. */
const SHORTEST_IDLE_SECONDS = 15;
/** Well below the half minute after which a worker without calls is stopped. */
const STAY_AWAKE_MS = 20_000;
const ALARM = 'wake';
const APPROVAL_PAGE = 'src/ui/approval.html';
const WINDOW_SIZE = { width: 400, height: 720 };

function area(storage: browser.Storage.StorageArea): KeyValueArea {
  return {
    get: readTogether(async (keys) => {
      const found = await storage.get(keys);
      return keys.map((key) => found[key]);
    }),
    set: (entries) => storage.set(entries),
    remove: (keys) => storage.remove(keys),
  };
}

/** Calls `changed` with the keys of `storage.local` that were written, by whomever. */
export function onStorageChanged(changed: (keys: readonly string[]) => void): void {
  browser.storage.local.onChanged.addListener((changes) => changed(Object.keys(changes)));
}

const session = area(browser.storage.session);
const earlier = area(browser.storage.local);
/**
 * As strict as `storage.local` was: a power cut may take the last change, and leaves what was
 * before.
 */
const state = createStores('countersign-state', 'entries');
const [flushed, quick] = [databaseArea(state.strict), databaseArea(state.relaxed)];
/** But these go with what the vault holds, whose writes are strict, or take a right back. */
const FLUSHED = [CONFIG_KEY, SITES_KEY, WIPING];
// Nothing of it is secret. Only the worker writes there, and a database lets nobody read past a
// write that is on its way.
const local = remembering({
  ...quick,
  set: (entries) => (FLUSHED.some((key) => key in entries) ? flushed : quick).set(entries),
});
/**
 * Firefox cannot close `storage.local` to content scripts: there the second copies have a database
 * of their own.
 */
const isClosed = typeof (browser.storage.local as Partial<chrome.storage.StorageArea>).setAccessLevel === 'function';
const copies = createStores('countersign-copy', 'entries');
const copy = remembering(isClosed ? earlier : databaseArea(copies.strict));
// A write of the last worker, made as it was stopped, may arrive after the first reads.
onStorageChanged(copy.forget);

const spokenTabs = createSpokenTabs(session);

/** A page asked for something: from now on it is told events. Nobody waits for it. */
export const pageSpoke = (caller: PageCaller): void => void spokenTabs.heard(caller);

/** Rejects when the document is gone, or its tab shows another site. */
async function toDocument({ tabId, origin, frameDocument }: PageCaller, message: PageMessage): Promise<void> {
  if (frameDocument === undefined) {
    // A Firefox that names no documents; there the hosts of content scripts show a tab's address.
    const { url } = await browser.tabs.get(tabId);
    if (!url?.startsWith(`${origin}/`)) throw new Error('the tab shows another site');
  }
  const to = frameDocument === undefined ? { frameId: 0 } : { documentId: frameDocument };
  await browser.tabs.sendMessage(tabId, { type: 'to-page', origin, message }, to);
}

const windowTurn = createMutex();

/** By hand: each start of the worker reads it, and loads no schema library for it. */
const windowId = checked((stored): stored is number => Number.isInteger(stored));
/**
 * Id of the open approval window. Only a worker writes it, so that each worker lifetime reads it
 * once.
 */
const openWindow = entry({ session: remembering(session) }, 'session', 'approval-window', () => windowId);

/** One approval window at a time: brought to front when it is there, opened when not. */
async function showApproval(id: string): Promise<void> {
  await windowTurn(async () => {
    const open = await openWindow.read();
    if (open !== undefined) {
      const found = await browser.windows.update(open, { focused: true, drawAttention: true }).catch(expected);
      if (found) return;
    }
    const url = browser.runtime.getURL(`${APPROVAL_PAGE}?id=${encodeURIComponent(id)}`);
    const created = await browser.windows.create({ url, type: 'popup', ...WINDOW_SIZE });
    if (created.id !== undefined) await openWindow.write(created.id);
  });
}

/** Calls `closed` when the user closes the approval window. */
export function onApprovalWindowClosed(closed: () => void): void {
  browser.windows.onRemoved.addListener(async (id) => {
    // In turn with `showApproval`: a window that opens meanwhile must not be forgotten with the old
    // one.
    const wasOurs = await windowTurn(async () => {
      if ((await openWindow.read()) !== id) return false;
      await openWindow.remove();
      return true;
    });
    if (wasOurs) closed();
  });
}

/**
 * Calls `wake` at the time that `wakeAt` was given, also in a worker that the alarm has started.
 */
export function onWakeAlarm(wake: () => void): void {
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === ALARM) wake();
  });
}

/** A click on the notification of a request that waits opens its window. */
export function onNotificationClicked(): void {
  const open = (id: string) => {
    if (id.startsWith(WAITS)) showApproval(id.slice(WAITS.length)).catch(reported('approvals: window'));
  };
  // Absent until the user allows notifications; a listener that is added twice is called once.
  const listen = () => browser.notifications?.onClicked.addListener(open);
  listen();
  browser.permissions.onAdded.addListener(listen);
}

/** The texts of the language that a setting stands for. */
const textsOf = (setting: string): Promise<Catalog> =>
  readCatalog(browser.runtime.getURL, chooseLanguage(setting, navigator.languages).code);

async function withheld(patterns: readonly string[]): Promise<string[]> {
  const allowed = await Promise.all(patterns.map((pattern) => browser.permissions.contains({ origins: [pattern] })));
  return patterns.filter((_, index) => !allowed[index]);
}

const idleSeconds = (ms: number) => Math.max(SHORTEST_IDLE_SECONDS, Math.round(ms / 1000));

/**
 * Asks the content script, which speaks for its own document alone. A page without one has no
 * request of ours.
 */
async function isPresent(tabId: number, documentId: string, withinMs: number): Promise<boolean> {
  const message = { type: 'is-present', documentId };
  const asked = browser.tabs.sendMessage(tabId, message, { frameId: 0 }).then(
    (answer) => answer === true,
    () => false,
  );
  let patience: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((done) => {
    patience = setTimeout(done, withinMs, undefined);
  });
  const answer = await Promise.race([asked, late]);
  clearTimeout(patience);
  if (answer !== undefined) return answer;
  const tab = await browser.tabs.get(tabId).catch(expected);
  return tab !== undefined && !tab.discarded && !(tab as chrome.tabs.Tab).frozen;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * The browser's side of the ports. `wake` is called by timers set with `wakeAt`; its alarms come to
 * `onWakeAlarm`.
 */
export function createBrowserPorts(wake: () => void): Ports {
  const vault = createStores('countersign-vault', 'records');
  const journal = createStores('countersign-journal', 'entries');
  const requests = createStores('countersign-requests', 'entries');
  // Most starts need it, and beside the other reads it costs nothing. A failure is reported where
  // the value is awaited.
  openWindow.read().catch(metElsewhere);
  return {
    now: Date.now,
    timer: { now: () => performance.now(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
    uuid: () => crypto.randomUUID(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fetch: (input, init) => fetch(input, init),
    openSocket: (url) => new WebSocket(url) as unknown as ReturnType<Ports['openSocket']>,
    local,
    copy,
    isCopyApart: !isClosed,
    earlier,
    session,
    journalStore: journal.strict,
    vaultStore: vault.strict,
    requestStore: requests.strict,
    relaxedRequestStore: requests.relaxed,
    lock: webLock,
    connectWallet(extensionId) {
      const port = browser.runtime.connect(extensionId);
      // Its user may take minutes, and an open port alone keeps no worker: calls of the browser do.
      const awake = setInterval(() => void browser.runtime.getPlatformInfo(), STAY_AWAKE_MS);
      return {
        post: (message) => port.postMessage(message),
        onMessage: (listener) => port.onMessage.addListener(listener),
        onDisconnect: (listener) =>
          port.onDisconnect.addListener(() => {
            // Read, or the browser reports it as unheard: that nobody is there is what the caller
            // tells.
            void browser.runtime.lastError;
            clearInterval(awake);
            listener();
          }),
        close() {
          clearInterval(awake);
          port.disconnect();
        },
      };
    },
    showApproval,
    async toPage(tabId, origin, message) {
      const [spoken] = await spokenTabs.documentsOf(origin, tabId);
      if (!spoken) throw new Error('the site has not spoken from this tab');
      await toDocument(spoken, message);
    },
    isPresent,
    async toAllPages(origin, message) {
      for (const spoken of await spokenTabs.documentsOf(origin))
        toDocument(spoken, message).catch(() => spokenTabs.forget(spoken));
    },
    toUi() {
      // Rejects when no page of ours is open.
      browser.runtime.sendMessage({ type: 'changed' }).catch(expected);
    },
    watchIdle(ms) {
      browser.idle.setDetectionInterval(idleSeconds(ms));
    },
    async idleFor(ms) {
      return (await browser.idle.queryState(idleSeconds(ms))) !== 'active';
    },
    async clearStorage() {
      spokenTabs.wipe();
      // One that fails keeps nothing in the others, and nothing of it is left to run later.
      const erased = await Promise.allSettled([
        vault.erase(),
        isClosed ? undefined : copies.erase(),
        browser.storage.local.clear(),
        browser.storage.session.clear(),
        journal.erase(),
        requests.erase(),
      ]);
      for (const one of erased) if (one.status === 'rejected') throw one.reason;
      // Last, because it holds the mark that there is something to remove.
      await state.erase();
      local.forget();
      copy.forget();
    },
    withheld,
    async withheldPages() {
      // Firefox gives the hosts of content scripts as permissions and lets the user take them;
      // Chromium keeps them apart, and its answer would be about the optional hosts alone.
      if (typeof browser.runtime.getBrowserInfo !== 'function') return [];
      const { content_scripts = [] } = browser.runtime.getManifest();
      return withheld([...new Set(content_scripts.flatMap(({ matches }) => matches))]);
    },
    async setBadge(count) {
      await browser.action.setBadgeText({ text: count === 0 ? '' : String(count) });
    },
    async notify(id, title, message, language) {
      if (!(await browser.permissions.contains({ permissions: ['notifications'] }))) return;
      const texts = await textsOf(language);
      await browser.notifications.create(id, {
        type: 'basic',
        iconUrl: browser.runtime.getURL('icons/128.png'),
        title: texts[title] ?? title,
        message: texts[message] ?? message,
      });
    },
    clearNotification(id) {
      // Absent until the user allows notifications.
      browser.notifications?.clear(id).catch(expected);
    },
    wakeAt(time) {
      clearTimeout(timer);
      const wait = Math.max(0, time - Date.now());
      if (wait < SHORTEST_ALARM_MS) timer = setTimeout(wake, wait);
      browser.alarms.create(ALARM, { when: Date.now() + Math.max(wait, SHORTEST_ALARM_MS) });
    },
  };
}
