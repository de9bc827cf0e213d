import type { Address } from 'viem';
import type { RelayerClient } from '../ask.ts';
import { ParameterError, RelayerRefusedError, RelayerUnavailableError } from '../errors.ts';
import type { Order } from '../generated/methods.ts';
import { getOrder, getOrders } from '../generated/reads.ts';
import { repeatRead } from '../repeatRead.ts';
import { tell } from '../tell.ts';
import type { EventSource } from './watchSubmission.ts';
import { watchTopic } from './watchTopic.ts';

export interface WatchOrdersParameters {
  /**
   * Called with the open orders, newest first: at once, and whenever one of them is new, changes
   * (also by a partial fill) or ends.
   */
  readonly onOrders: (orders: readonly Order[]) => void;
  /**
   * Called with each order that was open before and has ended, as the relayer has it now; not with
   * one that it does not give any more.
   */
  readonly onEnded?: ((order: Order) => void) | undefined;
  /** Called when a read fails, such as while the wallet is locked. The watch goes on. */
  readonly onError?: ((error: Error) => void) | undefined;
  /** `BASE-QUOTE`; all markets when absent. */
  readonly market?: string | undefined;
  /**
   * Owner address of one of the accounts that the site sees; the client's account, else the first.
   */
  readonly account?: Address | undefined;
  /**
   * Tells at once when an order changes, also by a partial fill, and when the wallet is unlocked.
   */
  readonly provider?: EventSource | undefined;
  /** Milliseconds between reads; the client's when absent. */
  readonly pollingInterval?: number | undefined;
}

/** Most rows of one answer. */
const PAGE = 50;
/** Rows that a page shares with the one before. */
const SHARED = 5;
/** Pages of one list: more orders than an account has slots. */
const MOST_PAGES = 400;
/** Statuses of orders that can still be filled or are being cancelled. */
export const openOrderStatuses = ['processing', 'waiting', 'cancelling'] as const;

/**
 * Rows move up when rows before them end, so each page shares some with the one before. After one
 * that shares none, it reads from the first row again. The list ends at `totalNum`, but never at a
 * whole page, and where no more than the shared rows come.
 */
async function openOrders(
  client: RelayerClient,
  of: Pick<WatchOrdersParameters, 'market' | 'account'>,
): Promise<Order[]> {
  const found = new Map<string, Order>();
  for (let offset = 0, pages = 0; pages < MOST_PAGES; pages++) {
    const { orders, totalNum } = await getOrders(client, { ...of, status: openOrderStatuses, limit: PAGE, offset });
    const { length } = orders;
    const known = orders.filter(({ hash }) => found.has(hash)).length;
    if (offset && !known) offset = 0;
    else {
      for (const order of orders) found.set(order.hash, order);
      if (length < PAGE && (offset + length >= totalNum || (length === known && length <= SHARED)))
        return [...found.values()];
      offset += Math.max(1, length - SHARED);
    }
  }
  throw new RelayerUnavailableError('Endless list');
}

/**
 * Follows the open orders of an account, those of other sites included: by the wallet's messages
 * about the site's own requests, and by reads, which find everything else. Needs the permission
 * *read*.
 * @returns What ends the watch; nothing is called after it.
 * @example
 * const unwatch = client.relayer.watchOrders({ market: 'LRC-ETH', onOrders: (orders) => show(orders) });
 */
export function watchOrders(client: RelayerClient, parameters: WatchOrdersParameters): () => void {
  const {
    onOrders,
    onEnded,
    onError,
    market,
    account,
    provider,
    pollingInterval = client.pollingInterval,
  } = parameters;
  /** The open orders as they were told last. */
  let told: readonly Order[] | undefined;
  /** Were open, and `onEnded` has not been told yet. */
  const gone = new Set<string>();

  const read = async (isStopped: () => boolean) => {
    const orders = await openOrders(client, { market, account });
    if (isStopped()) return;
    if (onEnded) for (const { hash } of told ?? []) gone.add(hash);
    for (const { hash } of orders) gone.delete(hash);
    const isSame = JSON.stringify(told) === JSON.stringify(orders);
    told = orders;
    if (!isSame) void tell(onOrders, orders);
    for (const hash of gone) {
      const order = await getOrder(client, { account, orderHash: hash as Order['hash'] }).catch((error: unknown) => {
        // Of another account than the present one, or forgotten by the relayer: nobody will tell
        // its end.
        if (error instanceof RelayerRefusedError || error instanceof ParameterError) return null;
        throw error;
      });
      if (isStopped()) return;
      gone.delete(hash);
      // One that is open after all comes with the next read.
      if (order && !openOrderStatuses.includes(order.status as never)) void tell(onEnded, order);
    }
  };
  /**
   * Each change of an order at once, where the wallet can subscribe; otherwise the reads find it.
   */
  const follow = (again: () => void, ended: () => void) =>
    watchTopic(client, {
      topic: { topic: 'order', market, account },
      provider,
      onUpdate: again,
      onBegan: again,
      onEnded: ended,
    });
  return repeatRead({ read, onError, provider, pollingInterval, ...(provider && { follow }) });
}
