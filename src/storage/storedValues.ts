import type { OwnedKey } from './ownedKeys.ts';

/**
 * Where a value lies: an area, the session of the browser, a database of the extension's own
 * origin, or `page`, the `localStorage` and `sessionStorage` of the wallet's own pages.
 */
type Store = 'local' | 'copy' | 'session' | 'vault' | 'journal' | 'requests' | 'page';

export interface StoredValue {
  readonly store: Store;
  /**
   * A whole key, or the beginning of keys that go on after `:`. In the journal the first part of a
   * key.
   */
  readonly key: string;
  /** File of `src/` that holds its form, reads earlier ones and writes it. */
  readonly form: string;
  /** Version of the form; `null` where each part is read by itself, and the rest by default. */
  readonly version: number | null;
  /**
   * Decision that depends on it; `null` for a value that is read again from a relayer, or only
   * shown.
   */
  readonly decides: string | null;
}

const value = <const S extends Store, const K extends string>(
  store: S,
  key: K,
  form: string,
  version: number | null,
  decides: string | null = null,
) => ({ store, key, form, version, decides });

/**
 * The values in `local` that go with their account, network or exchange: form, version, and what
 * depends on them.
 */
const owned: Readonly<Record<OwnedKey, readonly [form: string, version: number | null, decides: string | null]>> = {
  'key-use:': ['background/keys/keyUse.ts', null, null],
  'key-check:': ['background/attention/checks.ts', null, null],
  'balances:': ['background/rpc/ui/storedFacts.ts', null, null],
  'history:': ['background/rpc/ui/storedFacts.ts', null, null],
  'orders:': ['background/rpc/ui/storedFacts.ts', null, null],
  'nfts:': ['background/rpc/ui/storedFacts.ts', null, null],
  'pools:': ['background/rpc/ui/storedFacts.ts', null, null],
  'prices:': ['background/rpc/ui/storedFacts.ts', null, null],
  'proofs:': ['background/proofs/storedProofs.ts', 1, 'which balances are proven, and what did not hold'],
  'pins:': ['background/relayers/tokenPins.ts', null, 'which token a number means'],
  'fees:': ['background/relayers/feePins.ts', null, 'what a fee is measured by'],
  'facts:': ['background/relayers/relayers.ts', null, null],
  'block-roots:': ['background/proofs/storedProofs.ts', 1, 'that a relayer shows one state of a block'],
};

const rows = [
  value(
    'local',
    'config',
    'background/settings/storedConfig.ts',
    1,
    'exchanges, signers and accounts; the time to lock',
  ),
  value('local', 'config:unread', 'background/settings/config.ts', null),
  value('local', 'sites', 'background/sites/grants.ts', null, 'what each site may see and ask, and which are blocked'),
  value('local', 'standing', 'background/sites/standingStore.ts', 1, 'within which limits nobody is asked'),
  value('local', 'contacts', 'background/settings/contacts.ts', null, 'the name beside a receiver'),
  ...(Object.keys(owned) as OwnedKey[]).map((key) => value('local', key, ...owned[key])),
  value('local', 'told', 'background/sites/visibility.ts', null, 'which changes a site has still to hear of'),
  value('local', 'attention-dismissed', 'background/attention/dismissed.ts', null),
  value('local', 'wiping', 'background/settings/storedKeys.ts', null, 'that a wipe is to be finished'),
  value(
    'local',
    'taken-over',
    'background/lifecycle/takeOver.ts',
    null,
    'that nothing is read from storage.local any more',
  ),

  value('copy', 'config', 'background/settings/storedConfig.ts', 1, 'the same, where the first copy is lost'),
  value('copy', 'vault:', 'vault/image.ts', 3, 'every key, sealed'),
  value('vault', 'vault:', 'vault/image.ts', 3, 'every key, sealed'),

  value(
    'session',
    'vault:session:',
    'vault/unlockedState.ts',
    null,
    'whether the wallet is unlocked, and the data key',
  ),
  value('session', 'startup-snapshot', 'messaging/startupFacts.ts', null, 'the first answers of the next worker'),
  value('session', 'startup-home', 'messaging/startupFacts.ts', null),
  value('session', 'approval-window', 'background/worker/browserPorts.ts', null),
  value('session', 'approval-shown', 'background/rpc/ui/approvals.ts', null, 'what closing the window rejects'),
  value(
    'session',
    'proposed-exchange',
    'background/sites/proposedExchange.ts',
    null,
    'which exchange the setup offers',
  ),
  value('session', 'spoken-tabs', 'background/worker/spokenTabs.ts', null, 'which tabs hear events of a site'),
  value('session', 'failures', 'background/lifecycle/reports.ts', null),
  value('session', 'told-locked', 'background/sites/tellLock.ts', null),
  value('session', 'last-start', 'background/submissions/tellAgain.ts', null, 'which statuses are told once more'),
  value(
    'session',
    'standing-unended',
    'background/sites/standingStore.ts',
    null,
    'that standing approvals still have to end',
  ),
  value(
    'session',
    'request-rate',
    'background/approvals/store/requestRate.ts',
    null,
    'how many requests a site has left, and the pause after rejections',
  ),

  value('journal', 'sequence', 'journal/database.ts', null, 'the order of submissions; that none is lost'),
  value('journal', 'submission', 'journal/record.ts', 3, 'what was signed, and what is sent again'),
  value('journal', 'request', 'journal/database.ts', null, 'that a request is signed once'),
  value('journal', 'exchange', 'journal/exchange.ts', null, 'whose storage ids a network shares'),
  value('journal', 'cursor', 'journal/record.ts', 2, 'the next storage id'),
  value('journal', 'slot', 'journal/record.ts', 1, 'which slots are taken'),
  value('journal', 'final', 'journal/database.ts', null),
  value('journal', 'watch', 'journal/record.ts', null, 'which refused submissions are looked up'),
  value('journal', 'rule', 'journal/record.ts', 1, 'how much of a standing approval is used'),

  value(
    'requests',
    'approval:',
    'background/approvals/store/storedApproval.ts',
    1,
    'what waits for the user, and what was approved',
  ),
  value('requests', 'ended:', 'background/approvals/store/storedApproval.ts', 1, 'the answer to a repeat'),
  value('requests', 'end:', 'background/approvals/store/approvals.ts', null),
  value('requests', 'named:', 'background/approvals/store/approvals.ts', null, 'which request a site’s own key means'),
  value('requests', 'sentence:', 'background/approvals/store/approvals.ts', null),
  value('requests', 'request:', 'background/approvals/store/requests.ts', null, 'the answer to a page'),

  value('page', 'countersign.texts', 'ui/early.ts', null),
  value('page', 'countersign.display', 'ui/theme.ts', null),
  value('page', 'countersign.onboarding', 'ui/onboarding/progress.ts', null),
] as const;

/**
 * Everything that the wallet stores, one row for each kind of value. A key that is not here is not
 * written: the tests write through this table. What decides about money or rights lies in databases
 * of the extension's own origin, which no content script opens in any browser; `storage.local`
 * holds second copies alone, and only where the browser closes it to content scripts.
 */
export const storedValues: readonly StoredValue[] = rows;

/** The keys of a store, or of all. */
export type StoredKey<S extends Store = Store> = Extract<(typeof rows)[number], { readonly store: S }>['key'];

/** The row of a key; `undefined` for one that nothing may write. */
export const storedValueOf = (store: Store, key: string): StoredValue | undefined =>
  storedValues.find(
    (row) => row.store === store && (row.key === key || (row.key.endsWith(':') && key.startsWith(row.key))),
  );
