import type { Push } from '../../client/index.ts';
import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { fullHash } from '../../protocol/formatHash.ts';
import { reported } from '../../report/report.ts';
import type { Vault } from '../../vault/index.ts';
import type { Ports } from '../ports.ts';
import type { Config } from '../settings/config.ts';
import { accountIdOf, type StoredAccount } from '../settings/storedConfig.ts';
import type { connectTo } from '../sites/subscriptions.ts';
import type { Submissions } from '../submissions/submissions.ts';

/** How long an open page is believed to be open since it last said so; it says so every 20 s. */
const OPEN_MS = 45_000;
/** Changes within this time reach our pages as one notification, because each page reads anew. */
const GATHERED_MS = 400;
/** Accounts that are followed, the selected one first; each is a connection of its own. */
const MOST_ACCOUNTS = 8;
/** Open requests that are asked about at once; what is left has its own time. */
const MOST_LOOKS = 20;

interface Parts {
  readonly ports: Pick<Ports, 'now' | 'toUi'>;
  readonly config: Pick<Config, 'read'>;
  readonly vault: Pick<Vault, 'isUnlocked'>;
  readonly journal: Pick<Journal, 'pending'>;
  readonly connect: ReturnType<typeof connectTo>;
  readonly submissions: Pick<Submissions, 'checkOpen'>;
}

/**
 * Hears from the relayers what happens to the accounts, while a page of ours is open and the wallet
 * is unlocked. What is told is never believed: it says that reading anew is worth it, now and not
 * at the next check.
 */
export function createFollow(parts: Parts) {
  const pushes = new Map<string, Push>();
  const toldAt = new Map<string, number>();
  let end: ReturnType<typeof setTimeout> | undefined;
  let stops = 0;
  let isTelling = false;
  /** Orders that were told of since our pages heard of something, by network. */
  const orders = new Map<string, Set<unknown>>();

  const changed = () => {
    if (isTelling) return;
    isTelling = true;
    setTimeout(() => {
      isTelling = false;
      const told = [...orders.values()];
      orders.clear();
      parts.ports.toUi();
      if (told.length > 0)
        lookUp(({ hash }) => told.some((hashes) => hashes.has(hash))).catch(reported('follow: look up'));
    }, GATHERED_MS);
  };

  /** The look-up needs the API key, which is in the vault. */
  const lookUp = async (isMeant: (record: SubmissionRecord) => boolean) => {
    if (await parts.vault.isUnlocked()) await parts.submissions.checkOpen(isMeant, MOST_LOOKS);
  };

  const orderTold = (networkId: string, data: unknown) => {
    const hash = fullHash((data as { readonly hash?: unknown } | null)?.hash);
    const hashes = orders.get(networkId) ?? new Set();
    // More than are checked need no place, and no relayer takes that of another one.
    if (hash !== null && hashes.size < MOST_LOOKS) orders.set(networkId, hashes.add(hash));
    changed();
  };

  const stop = () => {
    stops += 1;
    clearTimeout(end);
    for (const id of pushes.keys()) leave(id);
  };

  const leave = (id: string) => {
    pushes.get(id)?.close();
    pushes.delete(id);
  };

  const follow = (account: StoredAccount, network: NetworkView) => {
    const push = parts.connect({ account, network });
    pushes.set(account.id, push);
    const told = () => {
      toldAt.set(account.id, parts.ports.now());
      changed();
    };
    push.subscribe({ topic: 'account' }, { told, began: told });
    push.subscribe(
      { topic: 'order' },
      {
        // What ended before the relayer began to tell was not told.
        began: () => void lookUp((record) => accountIdOf(record) === account.id).catch(reported('follow: look up')),
        told: ({ data }) => orderTold(network.id, data),
      },
    );
  };

  return {
    /** A page of ours is open. */
    async stay(): Promise<void> {
      clearTimeout(end);
      end = setTimeout(stop, OPEN_MS);
      const before = stops;
      if (!(await parts.vault.isUnlocked())) return stop();
      const { networks, accounts, selectedAccount } = await parts.config.read();
      const open = new Set((await parts.journal.pending()).map(accountIdOf));
      // Locked while that was read.
      if (stops !== before) return;
      const rank = ({ id }: StoredAccount) => (id === selectedAccount ? 2 : Number(open.has(id)));
      const followed = accounts.toSorted((a, b) => rank(b) - rank(a)).slice(0, MOST_ACCOUNTS);
      for (const id of pushes.keys()) if (!followed.some((account) => account.id === id)) leave(id);
      for (const account of followed) {
        const network = networks.find(({ id }) => id === account.networkId);
        if (network && !pushes.has(account.id)) follow(account, network);
      }
    },

    /** A relayer told a site of an order. */
    orderTold,

    /** When the relayer last told of the account's balances, Unix milliseconds; 0 for never. */
    toldAt: (id: string): number => toldAt.get(id) ?? 0,

    /** The account is no longer one of the wallet. */
    leave,

    /** The wallet is locked or wiped. */
    stop,
  };
}
