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

type Row = readonly [form: string, version: number | null, decides?: string];

const rows = {
  local: {
    config: ['background/settings/storedConfig.ts', 1, 'exchanges, signers and accounts; the time to lock'],
    'config:unread': ['background/settings/config.ts', null],
    sites: ['background/sites/grants.ts', null, 'what each site may see and ask, and which are blocked'],
    standing: ['background/sites/standingStore.ts', 1, 'within which limits nobody is asked'],
    contacts: ['background/settings/contacts.ts', null, 'the name beside a receiver'],
    'key-use:': ['background/keys/keyUse.ts', null],
    'key-check:': ['background/attention/checks.ts', null],
    'balances:': ['background/rpc/ui/storedFacts.ts', null],
    'history:': ['background/rpc/ui/storedFacts.ts', null],
    'orders:': ['background/rpc/ui/storedFacts.ts', null],
    'nfts:': ['background/rpc/ui/storedFacts.ts', null],
    'pools:': ['background/rpc/ui/storedFacts.ts', null],
    'prices:': ['background/rpc/ui/storedFacts.ts', null],
    'proofs:': ['background/proofs/storedProofs.ts', 1, 'which balances are proven, and what did not hold'],
    'pins:': ['background/relayers/tokenPins.ts', null, 'which token a number means'],
    'fees:': ['background/relayers/feePins.ts', null, 'what a fee is measured by'],
    'facts:': ['background/relayers/relayers.ts', null],
    'block-roots:': ['background/proofs/storedProofs.ts', 1, 'that a relayer shows one state of a block'],
    told: ['background/sites/visibility.ts', null, 'which changes a site has still to hear of'],
    'attention-dismissed': ['background/attention/dismissed.ts', null],
    wiping: ['background/settings/storedKeys.ts', null, 'that a wipe is to be finished'],
    'taken-over': ['background/lifecycle/takeOver.ts', null, 'that nothing is read from storage.local any more'],
  },
  copy: {
    config: ['background/settings/storedConfig.ts', 1, 'the same, where the first copy is lost'],
    'vault:': ['vault/image.ts', 3, 'every key, sealed'],
  },
  vault: { 'vault:': ['vault/image.ts', 3, 'every key, sealed'] },
  session: {
    'vault:session:': ['vault/unlockedState.ts', null, 'whether the wallet is unlocked, and the data key'],
    'startup-snapshot': ['messaging/startupFacts.ts', null, 'the first answers of the next worker'],
    'startup-home': ['messaging/startupFacts.ts', null],
    'approval-window': ['background/worker/browserPorts.ts', null],
    'approval-shown': ['background/rpc/ui/approvals.ts', null, 'what closing the window rejects'],
    'proposed-exchange': ['background/sites/proposedExchange.ts', null, 'which exchange the setup offers'],
    'spoken-tabs': ['background/worker/spokenTabs.ts', null, 'which documents hear events of a site'],
    failures: ['background/lifecycle/reports.ts', null],
    'told-locked': ['background/sites/tellLock.ts', null],
    'last-start': ['background/submissions/tellAgain.ts', null, 'which statuses are told once more'],
    'standing-unended': ['background/sites/standingStore.ts', null, 'that standing approvals still have to end'],
    'request-rate': [
      'background/approvals/store/requestRate.ts',
      null,
      'how many requests a site has left, and the pause after rejections',
    ],
  },
  journal: {
    sequence: ['journal/database.ts', null, 'the order of submissions; that none is lost'],
    submission: ['journal/record.ts', 3, 'what was signed, and what is sent again'],
    request: ['journal/database.ts', null, 'that a request is signed once'],
    exchange: ['journal/exchange.ts', null, 'whose storage ids a network shares'],
    cursor: ['journal/record.ts', 2, 'the next storage id'],
    slot: ['journal/record.ts', 1, 'which slots are taken'],
    final: ['journal/database.ts', null],
    watch: ['journal/record.ts', null, 'which refused submissions are looked up'],
    rule: ['journal/record.ts', 1, 'how much of a standing approval is used'],
  },
  requests: {
    'approval:': ['background/approvals/store/storedApproval.ts', 1, 'what waits for the user, and what was approved'],
    'ended:': ['background/approvals/store/storedApproval.ts', 1, 'the answer to a repeat'],
    'end:': ['background/approvals/store/approvals.ts', null],
    'named:': ['background/approvals/store/approvals.ts', null, 'which request a site’s own key means'],
    'sentence:': ['background/approvals/store/approvals.ts', null],
    'request:': ['background/approvals/store/requests.ts', null, 'the answer to a page'],
  },
  page: {
    'countersign.texts': ['ui/early.ts', null],
    'countersign.display': ['ui/theme.ts', null],
    'countersign.onboarding': ['ui/onboarding/progress.ts', null],
  },
} as const satisfies Record<Store, Record<string, Row>> & { local: Record<OwnedKey, Row> };

/**
 * Everything that the wallet stores, one row for each kind of value. A key that is not here is not
 * written: the tests write through this table. What decides about money or rights lies in databases
 * of the extension's own origin, which no content script opens in any browser; `storage.local`
 * holds second copies alone, and only where the browser closes it to content scripts.
 */
export const storedValues: readonly StoredValue[] = Object.entries<Record<string, Row>>(rows).flatMap(([store, of]) =>
  Object.entries(of).map(([key, [form, version, decides = null]]) => ({
    store: store as Store,
    key,
    form,
    version,
    decides,
  })),
);

/** The keys of a store, or of all. */
export type StoredKey<S extends Store = Store> = S extends Store ? keyof (typeof rows)[S] : never;
