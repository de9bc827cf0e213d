import '../support/rememberedPasswords.ts';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { clear, entries, setMany, type UseStore } from 'idb-keyval';
import { type Background, createBackground } from '../../src/background/createBackground.ts';
import type { Ports } from '../../src/background/ports.ts';
import type { Sender } from '../../src/background/sites/sender.ts';
import type { PageMessage } from '../../src/inpage/protocol.ts';
import type { UiAnswer, UiMethod, UiParams, UiResults } from '../../src/messaging/uiMethods.ts';
import type { KeyValueArea } from '../../src/storage/area.ts';
import { createStores } from '../../src/storage/stores.ts';
import { quickTimer } from '../support/quickTimer.ts';
import { nobody } from '../support/wallet.ts';
import { Life, never, outside, WorkerGone } from './life.ts';
import { createNetwork } from './network.ts';
import { type ClockJump, clockJumps, type Fault, isEnd, type Plan, throwerOf } from './plan.ts';

globalThis.IDBKeyRange ??= IDBKeyRange;

const SELF = {
  id: 'nfdlcigheabhlfmdgcmjmendohihdmdp',
  baseUrl: 'chrome-extension://nfdlcigheabhlfmdgcmjmendohihdmdp/',
};
const UI_SENDER: Sender = { id: SELF.id, url: `${SELF.baseUrl}src/ui/popup.html` };
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * A name that is the same in every run: without random ids, and without account ids, which the
 * relayer gives out.
 */
const stable = (name: string) => name.replace(UUID, '*').replace(/\b\d{5,}\b/g, '*');

/**
 * By how much the time of a browser goes on between two looks at it: a machine that is busy with
 * something else ages no click.
 */
const LONGEST_STEP_MS = 250;

/** What Chromium says of a database whose files it cannot open. */
const openError = () => new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
const quotaError = () => new DOMException('The quota has been exceeded.', 'QuotaExceededError');

/** Exclusive locks by name; a worker that dies gives back what it held and what it waited for. */
function createLocks() {
  interface Entry {
    readonly life: Life;
    readonly start: () => void;
  }
  const queues = new Map<string, Entry[]>();
  const leave = (name: string, gone: (entry: Entry) => boolean) => {
    const queue = queues.get(name) ?? [];
    const [head] = queue;
    const rest = queue.filter((entry) => !gone(entry));
    queues.set(name, rest);
    if (rest[0] && rest[0] !== head) rest[0].start();
  };
  return {
    async request<T>(life: Life, name: string, work: () => Promise<T>): Promise<T> {
      const label = `lock(${stable(name).split('/').slice(0, 3).join('/')})`;
      await life.pass(`${label}:ask`);
      // Dead since: what it waited for was given back already.
      if (!life.isAlive) await never();
      let entry: Entry | undefined;
      await new Promise<void>((start) => {
        entry = { life, start };
        const queue = queues.get(name) ?? [];
        queues.set(name, [...queue, entry]);
        if (queue.length === 0) start();
      });
      try {
        await life.pass(`${label}:held`);
        return await work();
      } finally {
        leave(name, (candidate) => candidate === entry);
      }
    },
    release(life: Life) {
      for (const name of queues.keys()) leave(name, (entry) => entry.life === life);
    },
  };
}

export interface Tab {
  readonly id: number;
  readonly origin: string;
  receive(message: PageMessage): void;
}

/** A storage area in memory: values are copied as JSON, a `set` of several is one write. */
function createArea() {
  const values = new Map<string, string>();
  return {
    values,
    area: {
      async get(key) {
        const text = values.get(key);
        return text === undefined ? undefined : JSON.parse(text);
      },
      async set(changes) {
        for (const [key, value] of Object.entries(changes)) values.set(key, JSON.stringify(value));
      },
      async remove(keys) {
        for (const key of keys) values.delete(key);
      },
    } satisfies KeyValueArea,
  };
}

/** All that a browser keeps while no worker runs. */
export interface Profile {
  readonly local: readonly [string, string][];
  readonly copy: readonly [string, string][];
  readonly session: readonly [string, string][];
  readonly stores: Readonly<Record<'journal' | 'vault' | 'requests', readonly [IDBValidKey, unknown][]>>;
}

/**
 * A browser profile with the extension in it: stores that outlive the worker, locks, alarm, tabs;
 * and the worker, which can be ended at any point and starts again with the next message.
 * @param name - Prefix of its points; empty for the first browser of a schedule.
 */
export function createBrowser(name: string, plan: Plan) {
  const databases = new IDBFactory();
  const raw = {
    journal: createStores('journal', 'entries', databases).strict,
    vault: createStores('vault', 'entries', databases).strict,
    requests: createStores('requests', 'entries', databases).strict,
  };
  const local = createArea();
  const copy = createArea();
  const session = createArea();
  const locks = createLocks();
  const network = createNetwork();
  const tabs = new Map<number, Tab>();
  /** All that crossed to pages and to our own pages, as text, for the search for secrets. */
  const toPages: string[] = [];
  const toUi: string[] = [];
  const clock = { ahead: 0 };
  /** Stores that were lost. */
  const gone = new Set<string>();
  /** When the clock was moved, as a number of points reached by then. */
  const jumps: number[] = [];
  /** Writes of the journal: time by this browser's clock, and points reached by then. */
  const journalWrites: { readonly at: number; readonly point: number }[] = [];
  /** Last looks at an approval before it is signed, with the points reached by then. */
  const claims: { readonly approval: string; readonly point: number }[] = [];
  let alarm: number | undefined;
  let life: Life | undefined;
  let background: Background | undefined;
  let lives = 0;

  let since = Date.now();
  const now = () => {
    const real = Date.now();
    clock.ahead -= Math.max(0, real - since - LONGEST_STEP_MS);
    since = real;
    return real + clock.ahead;
  };

  function onPoint(reached: Life, label: string): void {
    for (const fault of plan.at(name + label)) {
      if (isEnd(fault.kind)) {
        if (fault.kind === 'browser') session.values.clear();
        reached.end();
      } else if (fault.kind in clockJumps) {
        clock.ahead += clockJumps[fault.kind as ClockJump];
        jumps.push(plan.trace.length);
      }
    }
  }

  const faultsAt = (label: string): readonly Fault[] => plan.at(name + label);

  /** A store whose files cannot be read fails each access. */
  function checkOpen(store: string): void {
    if (faultsAt(`${store}:open`).some(({ kind }) => kind === 'shut')) throw plan.fail(openError());
  }

  /**
   * Stores that the browser has lost while no worker ran; whoever opens them next finds them empty.
   */
  function loseStores(): void {
    const isLost = (store: string) => {
      const lost = faultsAt(`${store}:start`).some(({ kind }) => kind === 'lose');
      if (lost) gone.add(store);
      return lost;
    };
    if (isLost('local')) local.values.clear();
    if (isLost('copy')) copy.values.clear();
    if (isLost('vault')) void clear(raw.vault);
  }

  /** A write that the disk has no room for fails whole. */
  function checkQuota(label: string): void {
    if (faultsAt(`${label}:quota`).some(({ kind }) => kind === 'full')) throw plan.fail(quotaError());
  }

  function gatedStore(of: Life, store: UseStore, storeName: string): UseStore {
    return <T>(mode: IDBTransactionMode, callback: (objects: IDBObjectStore) => T | PromiseLike<T>) =>
      of.track(async () => {
        checkOpen(storeName);
        if (mode === 'readonly') {
          await of.pass(`${storeName}.read`);
          return store(mode, callback);
        }
        const label = `${storeName}.write`;
        await of.pass(`${label}:begin`);
        checkQuota(label);
        const result = await store(mode, async (objects) => {
          const { transaction } = objects;
          of.atDeath(() => {
            try {
              transaction.abort();
            } catch {
              // Committed before.
            }
          });
          const running = callback(objects);
          // The requests are placed and nothing is committed yet.
          of.reach(`${label}:commit`);
          return running;
        });
        if (storeName === 'journal') journalWrites.push({ at: now(), point: plan.trace.length });
        await of.pass(`${label}:committed`);
        return result;
      }) as Promise<T>;
  }

  function gatedArea(of: Life, area: KeyValueArea, areaName: string): KeyValueArea {
    return {
      get: (key) =>
        of.track(async () => {
          checkOpen(areaName);
          await of.pass(`${areaName}.get(${stable(key)})`);
          return area.get(key);
        }),
      set: (changes) => {
        const label = `${areaName}.set(${stable(Object.keys(changes).join())})`;
        return of.call(label, async () => {
          checkOpen(areaName);
          checkQuota(label);
          await area.set(changes);
        });
      },
      remove: (keys) => of.call(`${areaName}.remove(${stable(keys.join())})`, () => area.remove(keys)),
    };
  }

  function portsOf(of: Life): Ports {
    return {
      connectWallet: nobody,
      openSocket: () => {
        throw new Error('the laboratory has no sockets');
      },
      watchIdle() {},
      idleFor: async () => true,
      withheld: async () => [],
      withheldPages: async () => [],
      clearStorage: () =>
        of.call('clearStorage', async () => {
          local.values.clear();
          copy.values.clear();
          session.values.clear();
          for (const store of Object.values(raw)) await clear(store);
        }),
      // The life's own clock and timers are quick already.
      timer: quickTimer(1),
      now: () => {
        of.reach('now');
        return now();
      },
      uuid: () => {
        of.reach('uuid');
        return crypto.randomUUID();
      },
      randomBytes: (length) => {
        of.reach('randomBytes');
        return crypto.getRandomValues(new Uint8Array(length));
      },
      fetch: (input, init) => of.track(() => network.send(of, faultsAt, String(input), init ?? {})),
      local: gatedArea(of, local.area, 'local'),
      copy: gatedArea(of, copy.area, 'copy'),
      isCopyApart: false,
      earlier: gatedArea(of, copy.area, 'earlier'),
      session: gatedArea(of, session.area, 'session'),
      journalStore: gatedStore(of, raw.journal, 'journal'),
      vaultStore: gatedStore(of, raw.vault, 'vault'),
      requestStore: gatedStore(of, raw.requests, 'requests'),
      relaxedRequestStore: gatedStore(of, raw.requests, 'requests'),
      kdfCost: { memoryKiB: 19 * 1024, passes: 2, parallelism: 1 },
      lock: (lockName, work) => of.track(() => locks.request(of, lockName, work)),
      showApproval: () => of.call('showApproval', async () => {}),
      toPage: (tabId, origin, message) =>
        of.call('toPage', async () => {
          toPages.push(JSON.stringify(message));
          const tab = tabs.get(tabId);
          if (!tab) throw new Error('Could not establish connection. Receiving end does not exist.');
          if (tab.origin === origin) tab.receive(message);
        }),
      isPresent: (tabId) => of.track(async () => tabs.has(tabId)),
      toAllPages: (origin, message) =>
        of.call('toAllPages', async () => {
          toPages.push(JSON.stringify(message));
          for (const tab of tabs.values()) if (tab.origin === origin) tab.receive(message);
        }),
      toUi: () => {
        of.reach('toUi');
      },
      setBadge: (count) =>
        of.call('setBadge', async () => {
          toUi.push(String(count));
        }),
      notify: (id, title, message) =>
        of.call('notify', async () => {
          toUi.push([id, title, message].join(' '));
        }),
      clearNotification: () => {},
      wakeAt: (time) => {
        if (of.reach('wakeAt')) alarm = time;
      },
    };
  }

  /** The worker, started when there is none. */
  function worker(): { life: Life; background: Background } {
    if (life?.isAlive && background) return { life, background };
    loseStores();
    const born = new Life(onPoint);
    life = born;
    lives++;
    born.atDeath(() => locks.release(born));
    background = born.run(() => createBackground(portsOf(born), SELF));
    const { claim } = background.wallet;
    Object.assign(background.wallet, {
      claim: async (approval: string) => {
        const lapse = await claim(approval);
        claims.push({ approval, point: plan.trace.length });
        return lapse;
      },
    });
    return { life: born, background };
  }

  /**
   * Delivers a message; rejects with `WorkerGone` when the worker ends before its answer arrives.
   */
  async function message(content: unknown, sender: Sender): Promise<unknown> {
    const { life: of, background: to } = worker();
    const answered = of.run(() =>
      of.track(async () => {
        const reply = await to.onMessage(content, sender);
        await of.pass(`reply(${(content as { type: string }).type})`);
        return reply;
      }),
    );
    return outside(() => Promise.race([answered, of.death]));
  }

  async function uiAnswer<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiAnswer<M>> {
    const answer = (await message({ type: 'ui', method, params }, UI_SENDER)) as UiAnswer<M>;
    toUi.push(JSON.stringify(answer));
    return answer;
  }

  return {
    name,
    plan,
    local: local.values,
    copy: copy.values,
    session: session.values,
    raw,
    tabs,
    toPages,
    toUi,
    network,
    clock,
    gone,
    jumps,
    journalWrites,
    claims,
    now,
    worker,
    message,
    uiAnswer,
    lives: () => lives,
    isBusy: () => life?.isBusy ?? false,
    alarm: () => alarm,
    pageSender: (tab: Tab): Sender => ({
      id: SELF.id,
      url: `${tab.origin}/`,
      origin: tab.origin,
      frameId: 0,
      tab: { id: tab.id },
    }),
    async ui<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> {
      const answer = await uiAnswer(method, params);
      if (!answer.ok) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
      return answer.result;
    },
    /** Ends the worker between two calls. */
    endWorker() {
      life?.end();
    },
    /** The alarm rings, or the browser starts the worker for another reason. */
    async wake(): Promise<void> {
      alarm = undefined;
      const { life: of, background: to } = worker();
      const done = of.run(() => of.track(() => to.onWake()));
      await outside(() => Promise.race([done, of.death])).catch((error: unknown) => {
        // A wake-up that fails because a store does is heard by nobody.
        if (!(error instanceof WorkerGone) && throwerOf(error) !== plan) throw error;
      });
    },
    /** Everything in a database, past the worker. */
    dump: (store: keyof typeof raw) => entries(raw[store]),
    async save(): Promise<Profile> {
      const stores = {
        journal: await entries(raw.journal),
        vault: await entries(raw.vault),
        requests: await entries(raw.requests),
      };
      return { local: [...local.values], copy: [...copy.values], session: [...session.values], stores };
    },
    /** For a browser that has run nothing yet. */
    async load({ local: locals, copy: copies, session: sessions, stores }: Profile): Promise<void> {
      for (const [key, value] of locals) local.values.set(key, value);
      for (const [key, value] of copies) copy.values.set(key, value);
      for (const [key, value] of sessions) session.values.set(key, value);
      for (const [name, list] of Object.entries(stores)) await setMany([...list], raw[name as keyof typeof raw]);
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;
