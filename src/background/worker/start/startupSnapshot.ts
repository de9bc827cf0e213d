import type { SiteView, WalletState } from '../../../messaging/views.ts';
import { metElsewhere } from '../../../report/report.ts';
import { sessionKeys, unlockedState } from '../../../vault/unlockedState.ts';

/** Key in `storage.session`, which the browser empties when it restarts and when the extension is replaced. */
export const STARTUP_SNAPSHOT = 'startup-snapshot';

/**
 * Facts from which a cold worker gives its first answers, as the full background knew them last; only of a wallet that
 * has a vault. Nothing in it is secret.
 */
export interface StartupSnapshot {
  /** Whether its vault is unlocked is not believed. */
  readonly state: WalletState;
  readonly sites: readonly SiteView[];
}

/** Values of `storage.session` by their keys; what is not there is left out. */
export type ReadSession = (keys: string[]) => Promise<Record<string, unknown>>;

/**
 * Reads at once, while the first message is on its way, and again for each later one. Until the full background is loaded nothing
 * writes what was read.
 * @returns What gives the facts with the vault as it is now; `undefined` when there are none.
 */
export function createStartupSnapshot(readSession: ReadSession, now: () => number) {
  /** Reads only the lock deadline of the unlocked state: reading ahead must not keep the key in memory. */
  const read = () =>
    readSession([STARTUP_SNAPSHOT, ...Object.values(sessionKeys)]).then((stored) => ({
      facts: stored[STARTUP_SNAPSHOT] as StartupSnapshot | undefined,
      deadline: unlockedState(stored[sessionKeys.key], stored[sessionKeys.deadline], now())?.deadline,
    }));
  let ahead: ReturnType<typeof read> | undefined = read();
  // A failure is reported where the value is awaited.
  ahead.catch(metElsewhere);
  return async (): Promise<StartupSnapshot | undefined> => {
    const reading = ahead ?? read();
    ahead = undefined;
    const { facts, deadline } = await reading;
    if (facts === undefined) return undefined;
    const { state, sites } = facts;
    const isUnlocked = deadline !== undefined && now() < deadline;
    return { state: { ...state, vault: isUnlocked ? 'unlocked' : 'locked' }, sites };
  };
}
