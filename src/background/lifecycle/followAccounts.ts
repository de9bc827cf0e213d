import { createPush, type Push } from '../../client/index.ts';
import type { Journal } from '../../journal/index.ts';
import { reported } from '../../report/report.ts';
import type { Vault } from '../../vault/index.ts';
import type { AccountKeys } from '../keys/accountKeys.ts';
import type { Ports } from '../ports.ts';
import type { Relayers } from '../relayers/relayers.ts';
import type { Config } from '../settings/config.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import type { Submissions } from '../submissions/submissions.ts';

/** How long an open page is believed to be open since it last said so; it says so every 20 s. */
const OPEN_MS = 45_000;
/** What comes within this time is told to our pages at once: each of them reads anew. */
const GATHERED_MS = 400;
/** Accounts that are followed; each is a connection of its own. */
const MOST_ACCOUNTS = 8;

/** Requests that are looked at when the relayer begins to tell; others at their own time. */
const MOST_LOOKS = 20;

interface Parts {
  readonly ports: Pick<Ports, 'toUi' | 'openSocket'>;
  readonly config: Pick<Config, 'read'>;
  readonly vault: Pick<Vault, 'isUnlocked'>;
  readonly relayers: Pick<Relayers, 'client'>;
  readonly accountKeys: Pick<AccountKeys, 'withApiKey'>;
  readonly journal: Pick<Journal, 'pending'>;
  readonly submissions: Pick<Submissions, 'check'>;
}

/**
 * Hears from the relayers what happens to the accounts, while a page of ours is open and the wallet is unlocked. What is told is
 * never believed: it says that reading anew is worth it, now and not at the next look.
 */
export function createFollow(parts: Parts) {
  const pushes = new Map<string, Push>();
  let end: ReturnType<typeof setTimeout> | undefined;
  let isTelling = false;

  const changed = () => {
    if (isTelling) return;
    isTelling = true;
    setTimeout(() => {
      isTelling = false;
      parts.ports.toUi();
    }, GATHERED_MS);
  };

  /** One of the wallet's own orders may have come further: asked of the relayer like any other time. */
  const lookUp = async (hash: unknown) => {
    const open = (await parts.journal.pending()).find((record) => record.hash === hash && record.state !== 'reserved');
    if (open) await parts.submissions.check(open.id);
  };

  /** What ended before the relayer began to tell was not told. */
  const lookUpAll = async ({ networkId, accountId }: Pick<StoredAccount, 'networkId' | 'accountId'>) => {
    const own = (await parts.journal.pending()).filter(
      (record) => record.networkId === networkId && record.accountId === accountId && record.state !== 'reserved',
    );
    for (const { id } of own.slice(0, MOST_LOOKS)) await parts.submissions.check(id);
  };

  const stop = () => {
    clearTimeout(end);
    for (const push of pushes.values()) push.close();
    pushes.clear();
  };

  return {
    /** A page of ours is open. */
    async stay(): Promise<void> {
      clearTimeout(end);
      end = setTimeout(stop, OPEN_MS);
      if (!(await parts.vault.isUnlocked())) return stop();
      const { networks, accounts } = await parts.config.read();
      const followed = accounts.slice(0, MOST_ACCOUNTS);
      for (const [id, push] of pushes)
        if (!followed.some((account) => account.id === id)) {
          push.close();
          pushes.delete(id);
        }
      for (const account of followed) {
        const network = networks.find(({ id }) => id === account.networkId);
        if (!network || pushes.has(account.id)) continue;
        const push = createPush({
          client: parts.relayers.client(network),
          baseUrl: network.baseUrl,
          openSocket: parts.ports.openSocket,
          apiKey: () => parts.accountKeys.withApiKey(account, network, async (apiKey) => apiKey),
        });
        pushes.set(account.id, push);
        push.subscribe({ topic: 'account' }, { told: changed, began: changed });
        push.subscribe(
          { topic: 'order' },
          {
            began: () => void lookUpAll(account).catch(reported('follow: look up')),
            told: ({ data }) => {
              changed();
              lookUp((data as { readonly hash?: unknown } | null)?.hash).catch(reported('follow: look up'));
            },
          },
        );
      }
    },

    /** The wallet is locked or wiped. */
    stop,
  };
}

export type Follow = ReturnType<typeof createFollow>;
