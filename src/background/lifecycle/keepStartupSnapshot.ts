import type { UseStore } from 'idb-keyval';
import { type StartupFacts, startupKeys } from '../../messaging/startupFacts.ts';
import type { HomeView } from '../../messaging/views.ts';
import { reported, reportedAs } from '../../report/report.ts';
import type { KeyValueArea } from '../../storage/area.ts';
import type { StoredKey } from '../../storage/storedValues.ts';
import type { Ports } from '../ports.ts';
import { BASIC_KEYS } from '../settings/storedKeys.ts';
import { walletState } from '../settings/walletState.ts';
import type { Wallet } from '../wallet.ts';

/**
 * Milliseconds without a change before the facts are written again: behind what a user waits for.
 */
const AFTER_CHANGE_MS = 100;

/** What the facts are made of, beside the keys that say who the wallet is. */
const STANDING = 'standing' satisfies StoredKey<'local'>;
const BALANCES = 'balances:' satisfies StoredKey<'local'>;
const PROOFS = 'proofs:' satisfies StoredKey<'local'>;

const unreadHome = reportedAs('worker: keep the home screen', undefined);

type SnapshotOf = Pick<Wallet, 'approvals' | 'config' | 'grants' | 'vault'>;

/**
 * Keeps in `storage.session` what the next cold worker answers first. The browser is told to remove
 * the facts before it is told of any write that could make them wrong, so a worker that is stopped
 * in between leaves none, and the next one asks the full background. They are written when nothing
 * has changed since they were read, and nothing is being written.
 * @param quietMs - Another quiet time, for tests.
 */
export function keepStartupSnapshot<Known extends SnapshotOf>(ports: Ports, quietMs = AFTER_CHANGE_MS) {
  /** Some may be there, also those of an earlier worker. */
  let mayBeThere = true;
  let writing = 0;
  let changes = 0;
  let removed: Promise<void> = Promise.resolve();
  let isPlanned = false;
  let known: () => Promise<Known> = () => new Promise(() => {});
  let homeOf: (wallet: Known) => Promise<HomeView>;

  function changed(): void {
    changes++;
    if (mayBeThere) {
      mayBeThere = false;
      // The browser does what one worker asks of it in the order in which it is asked; nobody waits
      // for the answer.
      removed = ports.session.remove(Object.values(startupKeys)).catch(reported('worker: keep the startup snapshot'));
    }
    plan();
  }

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    const before = changes;
    setTimeout(() => {
      isPlanned = false;
      if (changes !== before) plan();
      else keep().catch(reported('worker: keep the startup snapshot'));
    }, quietMs);
  }

  async function keep(): Promise<void> {
    const wallet = await known();
    if (writing > 0) return;
    const before = changes;
    const [state, sites] = await Promise.all([walletState(wallet), wallet.grants.list()]);
    const home = state.accounts.length === 0 ? undefined : await homeOf(wallet).catch(unreadHome);
    // A wallet that was removed, or was never made, leaves nothing behind.
    if (changes !== before || state.vault === 'absent') return;
    mayBeThere = true;
    const facts: StartupFacts = { state, sites };
    await ports.session.set({ [startupKeys.facts]: facts, ...(home && { [startupKeys.home]: home }) });
  }

  /**
   * @param inOrder - The browser is asked for the write on the way on which it was asked to remove
   *   the facts.
   */
  async function around<T>(write: () => Promise<T>, inOrder = true): Promise<T> {
    writing++;
    changed();
    try {
      if (!inOrder) await removed;
      return await write();
    } finally {
      writing--;
      changed();
    }
  }

  const isFact = (keys: readonly string[]): boolean =>
    keys.some(
      (key) => BASIC_KEYS.includes(key) || key === STANDING || key.startsWith(BALANCES) || key.startsWith(PROOFS),
    );
  const area = ({ get, set, remove }: KeyValueArea): KeyValueArea => ({
    get,
    set: (entries) => (isFact(Object.keys(entries)) ? around(() => set(entries), false) : set(entries)),
    remove: (keys) => (isFact(keys) ? around(() => remove(keys), false) : remove(keys)),
  });
  const store =
    (of: UseStore): UseStore =>
    (mode, work) =>
      mode === 'readonly' ? of(mode, work) : around(async () => of(mode, work));

  return {
    /** The ports to build the background over. */
    ports: {
      ...ports,
      local: area(ports.local),
      copy: area(ports.copy),
      vaultStore: store(ports.vaultStore),
      journalStore: store(ports.journalStore),
      requestStore: store(ports.requestStore),
      relaxedRequestStore: store(ports.relaxedRequestStore),
      clearStorage: () => around(() => ports.clearStorage()),
    } satisfies Ports,

    /**
     * `storage.local` was written, perhaps by a worker that was stopped before its write arrived.
     */
    storageChanged(keys: readonly string[]): void {
      if (isFact(keys)) changed();
    },

    /**
     * From now on the facts come from there.
     * @param home - Reads the home screen without asking a relayer.
     */
    begin(wallet: () => Promise<Known>, home: (wallet: Known) => Promise<HomeView>): void {
      known = wallet;
      homeOf = home;
      plan();
    },
  };
}
