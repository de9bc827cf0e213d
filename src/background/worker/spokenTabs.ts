import { reported, reportedAs } from '../../report/report.ts';
import type { KeyValueArea } from '../../storage/area.ts';
import type { PageCaller } from '../sites/sender.ts';

const KEY = 'spoken-tabs';
/** Entries kept, the newest; a page of an older one is told again as soon as it speaks. */
const MOST = 1_000;

/** Without a schema: what each start of the worker reads loads no library for it. */
function isCaller(one: unknown): one is PageCaller {
  const { tabId, origin, frameDocument } = (one ?? {}) as Partial<Record<keyof PageCaller, unknown>>;
  return (
    typeof tabId === 'number' && typeof origin === 'string' && ['string', 'undefined'].includes(typeof frameDocument)
  );
}
const keyOf = ({ tabId, origin }: PageCaller): string => `${tabId} ${origin}`;
const byKey = (found: unknown): Map<string, PageCaller> =>
  new Map((Array.isArray(found) ? found.filter(isCaller) : []).map((one) => [keyOf(one), one]));

/**
 * The last document of each site in each tab that has spoken, in `storage.session`: only such a
 * document hears events. Told to all tabs, an event would show any renderer the addresses of the
 * user and the sites that they are connected to.
 */
export function createSpokenTabs(session: KeyValueArea) {
  /** Only the worker writes it, so that one worker lifetime reads it once. */
  let known: Promise<Map<string, PageCaller>> | undefined;
  const entries = (): Promise<Map<string, PageCaller>> =>
    // After a failure it goes on with those that speak from now on.
    (known ??= session.get(KEY).then(byKey).catch(reportedAs('worker: read the tabs that spoke', new Map())));
  async function keep(all: ReadonlyMap<string, PageCaller>): Promise<void> {
    // A wipe came in between.
    if ((await known) !== all) return;
    await session.set({ [KEY]: [...all.values()] }).catch(reported('worker: keep the tabs that spoke'));
  }

  return {
    async heard(caller: PageCaller): Promise<void> {
      const all = await entries();
      const before = all.get(keyOf(caller));
      if (before && before.frameDocument === caller.frameDocument) return;
      // The newest are the last ones.
      all.delete(keyOf(caller));
      all.set(keyOf(caller), caller);
      // A tab can go through names without end.
      const [oldest] = all.keys();
      if (all.size > MOST && oldest !== undefined) all.delete(oldest);
      await keep(all);
    },
    /** @param tabId - Of this tab alone. */
    async documentsOf(origin: string, tabId?: number): Promise<PageCaller[]> {
      const all = [...(await entries()).values()];
      return all.filter((one) => one.origin === origin && (tabId === undefined || one.tabId === tabId));
    },
    /** Before `storage.session` is emptied: what is on its way writes nothing back. */
    wipe(): void {
      known = Promise.resolve(new Map());
    },
    /** The document is gone, or cannot hear anything. */
    async forget(caller: PageCaller): Promise<void> {
      const all = await entries();
      if (all.get(keyOf(caller)) === caller && all.delete(keyOf(caller))) await keep(all);
    },
  };
}
