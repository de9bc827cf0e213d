import { report, reported } from '../../report/report.ts';
import type { KeyValueArea } from '../../storage/area.ts';

const KEY = 'spoken-tabs';
/** Entries kept, the newest; a page of an older one is told again as soon as it speaks. */
const MOST = 1_000;

/** Without a schema: what each start of the worker reads loads no library for it. */
const isEntry = (one: unknown): one is string => typeof one === 'string';
const entriesOf = (found: unknown): string[] => (Array.isArray(found) ? found.filter(isEntry) : []);
const entryOf = (tabId: number, origin: string): string => `${tabId} ${origin}`;

/**
 * From which tabs each site has spoken, in `storage.session`: only there can a page be that hears
 * events. Told to all tabs, an event would show any renderer the addresses of the user and the
 * sites that they are connected to.
 */
export function createSpokenTabs(session: KeyValueArea) {
  /** Only the worker writes it, so that one worker lifetime reads it once. */
  let known: Promise<Set<string>> | undefined;
  async function entries(): Promise<Set<string>> {
    known ??= session.get(KEY).then((found) => new Set(entriesOf(found)));
    try {
      return await known;
    } catch (error) {
      report('worker: read the tabs that spoke', error);
      known = undefined;
      return new Set();
    }
  }
  async function keep(all: ReadonlySet<string>): Promise<void> {
    // A wipe came in between.
    if ((await known) !== all) return;
    await session.set({ [KEY]: [...all].slice(-MOST) }).catch(reported('worker: keep the tabs that spoke'));
  }

  return {
    async heard(tabId: number, origin: string): Promise<void> {
      const all = await entries();
      if (all.has(entryOf(tabId, origin))) return;
      all.add(entryOf(tabId, origin));
      await keep(all);
    },
    async tabsOf(origin: string): Promise<number[]> {
      return [...(await entries())].flatMap((entry) => {
        const [tabId, ...rest] = entry.split(' ');
        return rest.join(' ') === origin ? Number(tabId) : [];
      });
    },
    /** Before `storage.session` is emptied: what is on its way writes nothing back. */
    wipe(): void {
      known = Promise.resolve(new Set());
    },
    /** The tab has no page of the site that could hear anything. */
    async forget(tabId: number, origin: string): Promise<void> {
      const all = await entries();
      if (all.delete(entryOf(tabId, origin))) await keep(all);
    },
  };
}
