import { isHomeView, isStartupFacts, type StartupFacts, startupKeys } from '../../messaging/startupFacts.ts';
import type { HomeView } from '../../messaging/views.ts';
import { metElsewhere } from '../../report/report.ts';
import { checked, readStored } from '../../storage/entry.ts';
import type { StoredKey } from '../../storage/storedValues.ts';
import { sessionKeys, unlockedState } from '../../vault/unlockedState.ts';

const keys = startupKeys satisfies Record<string, StoredKey<'session'>>;
const facts = checked(isStartupFacts);
const home = checked(isHomeView);

/** Values of `storage.session` by their keys; what is not there is left out. */
export type ReadSession = (keys: string[]) => Promise<Record<string, unknown>>;

/**
 * Reads at once, while the first message is on its way, and again for each later one. Until the
 * full background is loaded nothing writes what was read. The home screen is read when it is asked
 * for: a start for a site does not need it.
 * @returns What gives the facts, with the vault as it is now; `undefined` when there are none.
 */
export function createStartupSnapshot(readSession: ReadSession, now: () => number) {
  /**
   * Reads only the lock deadline of the unlocked state: reading ahead must not keep the key in
   * memory.
   */
  const read = () =>
    readSession([keys.facts, ...Object.values(sessionKeys)]).then((stored) => ({
      known: readStored(keys.facts, facts, stored[keys.facts]),
      deadline: unlockedState(
        {
          key: stored[sessionKeys.key],
          deadline: stored[sessionKeys.deadline],
          lastUse: stored[sessionKeys.lastUse],
        },
        now(),
      )?.deadline,
    }));
  let ahead: ReturnType<typeof read> | undefined = read();
  // A failure is reported where the value is awaited.
  ahead.catch(metElsewhere);
  return {
    async facts(): Promise<StartupFacts | undefined> {
      const reading = ahead ?? read();
      ahead = undefined;
      const { known, deadline } = await reading;
      if (known === undefined) return undefined;
      const { state, sites } = known;
      const isUnlocked = deadline !== undefined && now() < deadline;
      return { state: { ...state, vault: isUnlocked ? 'unlocked' : 'locked' }, sites };
    },
    async home(): Promise<HomeView | undefined> {
      const { [keys.home]: stored } = await readSession([keys.home]);
      return readStored(keys.home, home, stored);
    },
  };
}

export type ReadStartup = ReturnType<typeof createStartupSnapshot>;
