import { setTimeout as sleep } from 'node:timers/promises';
import { candleIntervals } from '../../protocol/candleIntervals.ts';
import { PushRefusal, type PushTopic, topicKey } from '../../protocol/push.ts';
import type { Catalog } from '../engine/catalog.ts';
import type { OrderRow } from '../engine/orders/orderRow.ts';
import type { Relayer } from '../engine/relayer.ts';
import { logFailure } from '../engine/trouble.ts';
import { NFT_BASE } from '../market.ts';
import { createMutex } from '../mutex.ts';
import { within } from '../within.ts';
import { type AccountChanges, CHANGES_KEPT_MS, type ChangedBalance, readAccountChanges } from './accountChanges.ts';
import { describeBalance, describePushedOrder, readBalances, type ToldBalance } from './accountView.ts';
import type { Connection } from './connection.ts';
import { type MarketTopic, type MarketTopicPlan, type MarketView, planOf } from './marketChannels.ts';
import { textFrame } from './textFrame.ts';

/** Least time between two polls of the database: what changes meanwhile is told together. */
const SOONEST_MS = 100;
/** The same after a poll that had nothing to tell. */
const SOONEST_AFTER_NOTHING_MS = 5;
/** The same while this process commits nothing: others may have. */
const LATEST_MS = 250;
/**
 * Orders of an account whose last state is remembered, so that the same state is not told twice.
 */
const MOST_REMEMBERED = 1_000;

type AccountTopic = Extract<PushTopic, { topic: 'account' | 'order' }>;
const isOfAccount = (topic: PushTopic): topic is AccountTopic => topic.topic === 'account' || topic.topic === 'order';

/** Everybody who subscribed to one topic. */
interface Channel<Topic = PushTopic> {
  /** As every notification repeats it. */
  readonly topic: Topic;
  readonly connections: Set<Connection>;
}

interface Source {
  readonly plan: MarketTopicPlan;
  readonly views: Map<string, Channel & { readonly view: MarketView }>;
  value: never;
}

interface Followed {
  readonly channels: Map<string, Channel<AccountTopic>>;
  /** By token id, as it was told last. */
  readonly balances: Map<number, string>;
  /** By hash, oldest first. */
  readonly orders: Map<string, string>;
}

/**
 * Tells the subscribers of one process what changed in the database, by whichever process: it polls
 * after each commit of its own and four times a second, and not at all while nobody listens.
 * Every process reads the same versions and rows, so it does not matter to which of them a client
 * is connected.
 */
export function createPushHub(relayer: Relayer) {
  const { db, metrics } = relayer;
  const sources = new Map<string, Source>();
  const accounts = new Map<number, Followed>();
  /** Version of each market's book and pool at the last poll. */
  let versions = new Map<string, number>();
  /** Minute of the last poll. */
  let minute = 0;
  /** Last poll for accounts. */
  let looked: AccountChanges | undefined;
  let timer: NodeJS.Timeout | undefined;
  let polling = false;
  let again = false;
  let told = false;
  let stopped = false;
  /** The poll of markets in progress, and the pause after a slow one. */
  let lists: Promise<void> | undefined;
  /**
   * Polls and subscriptions take turns: no change falls between what a subscriber was read and what
   * is told next. Those of accounts do not wait for slow lists of markets.
   */
  const accountTurns = createMutex();
  const marketTurns = createMutex();
  const turnsOf = (topic: PushTopic) => (isOfAccount(topic) ? accountTurns : marketTurns);
  const isListening = () => sources.size > 0 || accounts.size > 0;

  /** One message for all, framed once. */
  const tell = ({ topic, connections }: Channel, content: object, to: Iterable<Connection> = connections) => {
    const frame = textFrame(JSON.stringify({ topic, ts: relayer.clock.now(), ...content }));
    let sent = 0;
    for (const connection of to) {
      connection.sendFrame(frame);
      sent += 1;
    }
    told = true;
    metrics.count('push_messages_total', {}, sent);
  };

  const pollMarkets = async () => {
    const rows = await db.query<{ market: string; mix_version: number }>('SELECT market, mix_version FROM books');
    const now = new Map(rows.map(({ market, mix_version }) => [market, mix_version]));
    const before = versions;
    const minuteNow = Math.floor(relayer.clock.now() / candleIntervals['1min']);
    const due = [...sources.values()].filter(
      ({ plan: { market, ages } }) => before.get(market) !== now.get(market) || (ages && minuteNow !== minute),
    );
    // The poll ends when every read has: one that went on would be repeated beside the next poll.
    const ends = await Promise.allSettled(
      due.map(async (source) => {
        source.value = (await source.plan.read()) as never;
        for (const channel of source.views.values())
          for (const content of channel.view.next(source.value)) tell(channel, content);
      }),
    );
    const failed = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
    versions = now;
    minute = minuteNow;
  };

  const pollAccounts = async () => {
    const changes = await readAccountChanges(db, looked, [...accounts.keys()]);
    const missed = looked !== undefined && changes.at - looked.at > CHANGES_KEPT_MS / 2;
    if (missed) {
      for (const { channels } of accounts.values())
        for (const { connections } of channels.values())
          for (const connection of connections)
            connection.close('lost', 'the relayer could not follow the database; read by REST and subscribe again');
      looked = changes;
      return;
    }
    if (changes.balances.length > 0) await tellBalances(changes.balances);
    if (changes.orders.length > 0) await tellOrders(changes.orders);
    // A clock that was set back makes nothing new again.
    looked = { ...changes, at: Math.max(changes.at, looked?.at ?? 0) };
  };

  // A balance that changed and came back is told too: a client may have read the value in between.
  const balanceText = ({ total, locked, written_by }: ToldBalance) => `${total} ${locked} ${written_by}`;

  const tellBalances = async (changed: readonly ChangedBalance[]) => {
    for (const row of await readBalances(db, changed)) {
      const followed = accounts.get(row.account_id);
      const text = balanceText(row);
      if (!followed || followed.balances.get(row.token_id) === text) continue;
      followed.balances.set(row.token_id, text);
      for (const channel of followed.channels.values()) {
        const { topic } = channel;
        const data = topic.topic === 'account' ? describeBalance(topic, row) : undefined;
        if (data) tell(channel, { data });
      }
    }
  };

  const tellOrders = async (changed: readonly number[]) => {
    const rows = await db.query<OrderRow>(
      'SELECT * FROM orders WHERE seq = ANY($1::bigint[]) AND account_id = ANY($2::bigint[]) ORDER BY updated_at, seq',
      [changed, [...accounts.keys()]],
    );
    for (const row of rows) {
      const followed = accounts.get(row.account_id);
      const text = `${row.status} ${row.filled_s} ${row.filled_b}`;
      if (!followed || followed.orders.get(row.hash) === text) continue;
      followed.orders.delete(row.hash);
      followed.orders.set(row.hash, text);
      if (followed.orders.size > MOST_REMEMBERED) followed.orders.delete(followed.orders.keys().next().value as string);
      for (const channel of followed.channels.values()) {
        const { topic } = channel;
        if (topic.topic === 'order' && (topic.market === undefined || topic.market === row.market.toUpperCase()))
          tell(channel, { data: describePushedOrder(relayer, row) });
      }
    }
  };

  /** @returns The time that it took, ms. */
  const polled = async (followed: { readonly size: number }, part: () => Promise<void>): Promise<number> => {
    if (stopped || followed.size === 0) return 0;
    const started = performance.now();
    await part().catch((error) => logFailure(relayer, error, 'a poll for pushes failed; it is repeated'));
    const took = performance.now() - started;
    metrics.observe('push_poll_seconds', took / 1000, {});
    return took;
  };

  const pollLists = async () => {
    const took = await marketTurns(() => polled(sources, pollMarkets));
    // What was waited for has its pause in `pollNow`.
    if (took > SOONEST_MS) await sleep(took, undefined, { ref: false });
    lists = undefined;
  };

  const poll = async (): Promise<void> => {
    // Accounts are told before markets: whoever trades hears of his own fill first.
    await accountTurns(() => polled(accounts, pollAccounts));
    if (lists) return;
    lists = pollLists();
    await within(lists, SOONEST_MS);
  };

  /** A poll that is planned stays: whoever subscribes again and again would push it away. */
  const plan = (ms: number) => {
    if (!stopped && isListening()) timer ??= setTimeout(pollNow, ms).unref();
  };

  const pollNow = () => {
    clearTimeout(timer);
    timer = undefined;
    if (stopped || !isListening()) return;
    if (polling) {
      again = true;
      return;
    }
    polling = true;
    again = false;
    told = false;
    const started = performance.now();
    void poll().finally(() => {
      // A database that is slow is asked less often: half of the time at most goes to polls.
      const took = performance.now() - started;
      const soonest = told ? SOONEST_MS : SOONEST_AFTER_NOTHING_MS;
      const pause = Math.max(soonest, 2 * took) - took;
      setTimeout(() => {
        polling = false;
        if (again) pollNow();
        else plan(LATEST_MS - soonest);
      }, pause).unref();
    });
  };

  const subscribeMarket = async (connection: Connection, topic: MarketTopic, key: string): Promise<() => void> => {
    const made = planOf(relayer, topic);
    let source = sources.get(made.source);
    if (!source) {
      source = { plan: made, views: new Map(), value: (await made.read()) as never };
      if (!connection.isOpen) return () => {};
      sources.set(made.source, source);
    }
    const channel = source.views.get(key) ?? { topic, connections: new Set(), view: made.view(source.value) };
    source.views.set(key, channel);
    channel.connections.add(connection);
    return () => {
      const first = channel.view.first();
      if (first) tell(channel, first, [connection]);
    };
  };

  const subscribeAccount = async (connection: Connection, topic: AccountTopic, key: string, accountId: number) => {
    let followed = accounts.get(accountId);
    if (!followed) {
      if (accounts.size === 0) looked = await readAccountChanges(db, undefined, []);
      if (!connection.isOpen) return;
      followed = { channels: new Map(), balances: new Map(), orders: new Map() };
      accounts.set(accountId, followed);
    }
    const channel = followed.channels.get(key) ?? { topic, connections: new Set() };
    followed.channels.set(key, channel);
    channel.connections.add(connection);
  };

  return {
    /**
     * Puts a client in: every change from here on is told.
     * @param accountId - Whose key was sent, for topics of an account.
     * @returns Tells it what the topic begins with.
     * @throws {PushRefusal} There is no such market, level or pool.
     */
    subscribe: (connection: Connection, topic: PushTopic, accountId: number | undefined): Promise<() => void> =>
      turnsOf(topic)(async () => {
        // Checked again after each read: nobody takes out a client that is put in after its end.
        let begin = () => {};
        if (!connection.isOpen) return begin;
        const key = topicKey(topic);
        if (isOfAccount(topic)) {
          if (accountId === undefined) throw new PushRefusal('API_KEY_MISSING', 'apiKey is missing');
          await subscribeAccount(connection, topic, key, accountId);
        } else begin = await subscribeMarket(connection, topic, key);
        if (!polling) plan(LATEST_MS);
        return begin;
      }),

    /** @throws {PushRefusal} As `subscribe` would. */
    check(topic: PushTopic): void {
      if (topic.topic === 'order') checkOrderMarket(relayer.catalog, topic.market);
      else if (topic.topic !== 'account') planOf(relayer, topic);
    },

    /** Takes a client from one topic, by its key, or from all. */
    leave(connection: Connection, only?: string): void {
      /** @returns Whether no channel is left. */
      const takeFrom = (channels: Map<string, Channel>) => {
        for (const [key, { connections }] of channels) {
          if (only !== undefined && only !== key) continue;
          connections.delete(connection);
          if (connections.size === 0) channels.delete(key);
        }
        return channels.size === 0;
      };
      for (const [name, { views }] of sources) if (takeFrom(views)) sources.delete(name);
      for (const [accountId, { channels }] of accounts) if (takeFrom(channels)) accounts.delete(accountId);
    },

    /** Something was committed here: told at once, not at the next poll. */
    wake: pollNow,

    /**
     * An order or request was accepted here, which changes its account alone: books and pools
     * change when the engine commits.
     */
    accepted(): void {
      if (accounts.size > 0) pollNow();
    },

    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await Promise.all([accountTurns, marketTurns].map((inTurn) => inTurn(async () => {})));
    },
  };
}

/** Orders are in the market of a pair, those of NFTs in that of the token that pays for them. */
function checkOrderMarket({ markets, tokens }: Catalog, name: string | undefined): void {
  const names = [...markets.map(({ market }) => market), ...tokens.map(({ symbol }) => `${NFT_BASE}-${symbol}`)];
  if (name !== undefined && !names.some((known) => known.toUpperCase() === name))
    throw new PushRefusal('ORDER_INVALID', `market: there is no market ${name}`);
}

export type PushHub = ReturnType<typeof createPushHub>;
