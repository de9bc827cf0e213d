import type { HomeView, SiteView, WalletState } from '../../messaging/views.ts';
import { metElsewhere } from '../../report/report.ts';
import { checked, readStored } from '../../storage/entry.ts';
import { isRecord } from '../../storage/lenient.ts';
import type { StoredKey } from '../../storage/storedValues.ts';
import { sessionKeys, unlockedState } from '../../vault/unlockedState.ts';

/**
 * Key in `storage.session`, which the browser empties when it restarts and when the extension is
 * replaced.
 */
export const STARTUP_SNAPSHOT = 'startup-snapshot' satisfies StoredKey<'session'>;

/** The home screen of the selected account, as the relayer was last read. */
export const STARTUP_HOME = 'startup-home' satisfies StoredKey<'session'>;

/**
 * Facts from which a cold worker gives its first answers, as the full background knew them last;
 * only of a wallet that has a vault. Nothing in it is secret.
 */
export interface StartupSnapshot {
  /** Whether its vault is unlocked is not believed. */
  readonly state: WalletState;
  readonly sites: readonly SiteView[];
}

// Checked by hand, and only for what the first answers need: loading and building a schema would
// cost the cold worker more than its answer.
type Fields = Record<string, unknown>;
const isText = (value: unknown): boolean => typeof value === 'string';
const isListOf = (list: unknown, isOne: (one: Fields) => boolean): boolean =>
  Array.isArray(list) && list.every((one) => isRecord(one) && isOne(one));

const isState = ({ networks, accounts, settings, openApprovals }: Fields): boolean =>
  isListOf(networks, ({ id, baseUrl, chainId }) => isText(id) && isText(baseUrl) && Number.isSafeInteger(chainId)) &&
  isListOf(accounts, ({ id, networkId, owner }) => isText(id) && isText(networkId) && isText(owner)) &&
  isRecord(settings) &&
  Number.isSafeInteger(openApprovals);

const isSite = ({ origin, blocked, grants }: Fields): boolean =>
  isText(origin) &&
  typeof blocked === 'boolean' &&
  isListOf(grants, ({ account, kinds }) => isText(account) && Array.isArray(kinds));

const form = checked(
  (stored): stored is StartupSnapshot =>
    isRecord(stored) && isRecord(stored.state) && isState(stored.state) && isListOf(stored.sites, isSite),
);

// Only drawn, and read again while it is on the screen.
const homeForm = checked(
  (stored): stored is HomeView =>
    isRecord(stored) &&
    isRecord(stored.account) &&
    isListOf(stored.balances, ({ token }) => isRecord(token)) &&
    isListOf(stored.activity, ({ sentence }) => isRecord(sentence)),
);

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
    readSession([STARTUP_SNAPSHOT, ...Object.values(sessionKeys)]).then((stored) => ({
      facts: readStored(STARTUP_SNAPSHOT, form, stored[STARTUP_SNAPSHOT]),
      deadline: unlockedState(stored[sessionKeys.key], stored[sessionKeys.deadline], now())?.deadline,
    }));
  let ahead: ReturnType<typeof read> | undefined = read();
  // A failure is reported where the value is awaited.
  ahead.catch(metElsewhere);
  return {
    async facts(): Promise<StartupSnapshot | undefined> {
      const reading = ahead ?? read();
      ahead = undefined;
      const { facts, deadline } = await reading;
      if (facts === undefined) return undefined;
      const { state, sites } = facts;
      const isUnlocked = deadline !== undefined && now() < deadline;
      return { state: { ...state, vault: isUnlocked ? 'unlocked' : 'locked' }, sites };
    },
    async home(): Promise<HomeView | undefined> {
      const { [STARTUP_HOME]: stored } = await readSession([STARTUP_HOME]);
      return readStored(STARTUP_HOME, homeForm, stored);
    },
  };
}

export type ReadStartup = ReturnType<typeof createStartupSnapshot>;
