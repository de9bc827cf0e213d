import { createPush, type Push, type PushListener } from '../../client/index.ts';
import type { Journal } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { fullHash } from '../../protocol/formatHash.ts';
import { MAX_TOPICS, type PushTopic, pushErrors } from '../../protocol/index.ts';
import { metElsewhere, reported } from '../../report/report.ts';
import type { Vault } from '../../vault/index.ts';
import { RpcError, toProviderError, unauthorized } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import type { ApiKeys } from '../relayers/apiKeys.ts';
import type { Relayers } from '../relayers/relayers.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import type { PageDocument } from './sender.ts';
import { type Visible, visibleAccounts } from './visibleAccounts.ts';

/**
 * How long a document is believed to be there since it last said so. Its content script says so
 * every 20 s, or once a minute where Chrome slows the timers of a hidden page: one of these may be
 * lost. A document that is left says that it is gone.
 */
const HELD_MS = 150_000;
/**
 * Connections to relayers for all sites: one for the public topics of a site, one for each account
 * that it follows.
 */
const MOST_CONNECTIONS = 12;
/** Messages that a document has been sent and has not taken. */
const MOST_UNREAD = 256;

interface Parts extends Visible {
  readonly ports: Pick<Ports, 'toPage'>;
  readonly vault: Pick<Vault, 'isUnlocked'>;
  readonly journal: Pick<Journal, 'list'>;
  readonly relayers: {
    /** A connection for the topics of a subject that a site follows. */
    connect(subject: Subject, origin: string): Push;
    /** Hears of each change of an order, so that its request is looked up now. */
    orderTold(networkId: string, data: unknown): void;
  };
}

/**
 * Connections to the relayers of the user's exchanges, with the API key where an account is the
 * subject.
 */
export const connectTo =
  (
    { openSocket }: Pick<Ports, 'openSocket'>,
    relayers: Pick<Relayers, 'client'>,
    accountKeys: ApiKeys,
  ): ((subject: Subject, origin?: string) => Push) =>
  ({ network, account }, origin) =>
    createPush({
      client: relayers.client(network),
      baseUrl: network.baseUrl,
      origin,
      openSocket,
      ...(account && { apiKey: (refused) => accountKeys.apiKeyFor(account, network, refused) }),
    });

/** Subject of a subscription: an account, or the public data of its exchange. */
export interface Subject {
  readonly network: NetworkView;
  readonly account?: StoredAccount | undefined;
}

interface Held extends Subject {
  /** Of the page's request, which names the subscription. */
  readonly id: string;
  readonly page: PageDocument;
  readonly connection: string;
  readonly topic: PushTopic['topic'];
  lease?: ReturnType<typeof setTimeout>;
  leave: () => void;
  unread: number;
  /** Hashes of orders that were found to be the site's, so that each is looked for once. */
  readonly own: Set<string>;
  /** The last message that is on its way. */
  sent: Promise<void>;
}

/** Further members of `data` in a `relayer_subscription` message. */
type Told = { readonly began: true } | { readonly result: { readonly ts: number; readonly data: unknown } };

const isBusy = (message: string) => new RpcError('limitExceeded', message, { reason: 'subscriptions' });
const nameOf = (code: number) =>
  Object.entries(pushErrors).find(([, known]) => known === code)?.[0] ?? ('UNLISTED' as const);

/**
 * Hands what relayers tell of a topic to the documents that subscribed to it. Kept in the memory of
 * the worker alone: the content script of a document repeats the request while the document is
 * there, so a worker that was stopped begins anew and tells the page that there was a gap.
 */
export function createSubscriptions({ ports, vault, journal, relayers: { connect, orderTold }, ...sites }: Parts) {
  const connections = new Map<string, Push>();
  const held = new Map<string, Held>();
  const keyOf = (origin: string, id: string) => `${origin} ${id}`;
  const some = (which: (one: Held) => boolean) => [...held.values()].filter(which);

  const send = (one: Held, data: object) =>
    ports.toPage(one.page.tabId, one.page.origin, {
      event: 'message',
      data: { type: 'relayer_subscription', data: { subscription: one.id, ...data } },
    });

  const isHeld = (one: Held) => held.get(keyOf(one.page.origin, one.id)) === one;

  /** @param error - What its page is told; absent when nobody is there or may hear of it. */
  const end = (one: Held, error?: RpcError) => {
    if (!isHeld(one)) return;
    held.delete(keyOf(one.page.origin, one.id));
    clearTimeout(one.lease);
    one.leave();
    if (some(({ connection }) => connection === one.connection).length === 0) {
      connections.get(one.connection)?.close();
      connections.delete(one.connection);
    }
    if (error) send(one, { error: toProviderError(error) }).catch(metElsewhere);
  };

  /**
   * While the wallet is locked a site hears of the orders that it placed itself, and of nothing
   * else of an account.
   */
  async function mayHear(one: Held, told: Told): Promise<boolean> {
    if (!one.account || !('result' in told) || (await vault.isUnlocked())) return true;
    const hash = fullHash((told.result.data as { readonly hash?: unknown }).hash);
    if (hash === null || one.own.has(hash)) return hash !== null;
    // Compared before it is read by its schema: a site may have thousands.
    if ((await journal.list({ origin: one.page.origin, hashes: [hash], limit: 1 })).length === 0) return false;
    one.own.add(hash);
    return true;
  }

  async function deliver(one: Held, told: Told): Promise<void> {
    if (!isHeld(one)) return;
    // The deadline of a lock passes without a word.
    if (one.topic === 'account' && !(await vault.isUnlocked())) return end(one, lockedNow());
    if (!(await mayHear(one, told))) return;
    try {
      await send(one, told);
    } catch {
      // The document is gone or does not listen, so nobody can be told.
      end(one);
    }
  }

  const tell = (one: Held, told: Told) => {
    if (one.unread >= MOST_UNREAD) return end(one, isBusy('The page did not read what it subscribed to.'));
    one.unread += 1;
    one.sent = one.sent
      .then(() => deliver(one, told))
      .catch(reported('subscriptions: tell a page'))
      .finally(() => {
        one.unread -= 1;
      });
  };

  const keep = (one: Held) => {
    clearTimeout(one.lease);
    one.lease = setTimeout(end, HELD_MS, one);
  };

  const listenerOf = (one: Held): PushListener => ({
    began: () => tell(one, { began: true }),
    told({ ts, startVersion, endVersion, data }) {
      const { accountId } = (data ?? {}) as { readonly accountId?: unknown };
      // Loopring's own relayer names no account in an order.
      const named = accountId ?? (one.topic === 'order' && data ? one.account?.accountId : undefined);
      if (one.account && named !== one.account.accountId) return;
      if (one.topic === 'order') orderTold(one.network.id, data);
      const versions = endVersion === undefined ? {} : { startVersion, endVersion };
      tell(one, { result: { ts, ...versions, data } });
    },
    refused({ code }) {
      end(one, new RpcError('refused', `The relayer refused: ${nameOf(code)}.`, { code, name: nameOf(code) }));
    },
  });

  /**
   * After a change of what a site may see: ends what it may not follow any more. A blocked site
   * does not hear of it.
   */
  async function recheck(origin: string): Promise<void> {
    if (some(({ page }) => page.origin === origin).length === 0) return;
    const { grants = [], blocked = false } = (await sites.grants.of(origin)) ?? {};
    const seen = await visibleAccounts(sites, origin);
    const mayFollow = ({ network, account }: Subject) => {
      const shown = seen.filter((one) => (account ? one.id === account.id : one.networkId === network.id));
      if (!account) return shown.length > 0;
      return shown.length > 0 && grants.some((grant) => grant.account === account.id && grant.kinds.includes('read'));
    };
    for (const one of some((held) => held.page.origin === origin && (blocked || !mayFollow(held))))
      end(one, blocked ? undefined : takenAway());
  }

  return {
    async hold(page: PageDocument, id: string, subject: Subject, topic: PushTopic): Promise<void> {
      const key = keyOf(page.origin, id);
      // The API key is in the vault; what has begun needs it no more.
      if (subject.account && !held.has(key) && !(await vault.isUnlocked())) throw lockedNow();
      const known = held.get(key);
      if (known) return keep(known);
      if (some((one) => one.page.origin === page.origin).length >= MAX_TOPICS)
        throw isBusy(`A site has ${MAX_TOPICS} subscriptions at most.`);
      const connection = `${page.origin} ${subject.account?.id ?? subject.network.id}`;
      const open = connections.get(connection);
      if (!open && connections.size >= MOST_CONNECTIONS) throw isBusy('Too many sites follow relayers already.');
      const push = open ?? connect(subject, page.origin);
      connections.set(connection, push);
      const one: Held = {
        ...subject,
        id,
        page,
        connection,
        topic: topic.topic,
        leave: () => {},
        unread: 0,
        own: new Set(),
        sent: Promise.resolve(),
      };
      held.set(key, one);
      keep(one);
      try {
        // A change since the router read the rights found nothing to end.
        await recheck(page.origin);
        if (isHeld(one)) one.leave = push.subscribe(topic, listenerOf(one));
      } catch (error) {
        // A repeat of the request would keep what hears nothing.
        end(one);
        throw error;
      }
    },

    leave(origin: string, id: string): boolean {
      const one = held.get(keyOf(origin, id));
      if (one) end(one);
      return one !== undefined;
    },

    /** The document is gone. */
    left({ origin, documentId }: PageDocument): void {
      for (const one of some(({ page }) => page.origin === origin && page.documentId === documentId)) end(one);
    },

    recheck,

    /** The wallet is locked: what is told of balances ends. */
    lock(): void {
      for (const one of some(({ topic }) => topic === 'account')) end(one, lockedNow());
    },

    /** The wallet is wiped: everything ends. */
    stop(): void {
      for (const one of some(() => true)) end(one, takenAway());
    },
  };
}

const takenAway = () => unauthorized('revoked', 'What the subscription was about is no longer shown to this site.');
const lockedNow = () => unauthorized('locked', 'The wallet was locked.');

export type Subscriptions = ReturnType<typeof createSubscriptions>;
