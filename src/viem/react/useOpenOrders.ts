'use client';
import { type WatchOrdersParameters, watchOrders } from '../actions/watchOrders.ts';
import type { RelayerClient } from '../ask.ts';
import type { Order } from '../generated/methods.ts';
import { useWatched, type Watched } from './useWatched.ts';

export type UseOpenOrdersParameters = Omit<WatchOrdersParameters, 'onOrders' | 'onEnded' | 'onError'>;

/**
 * The open orders of an account, as `watchOrders` follows them.
 * @param client - Watches nothing without one.
 * @example
 * const { data: orders = [], error } = useOpenOrders(client, { market: 'LRC-ETH', provider });
 */
export function useOpenOrders(
  client: RelayerClient | null | undefined,
  { market, account, provider, pollingInterval }: UseOpenOrdersParameters = {},
): Watched<readonly Order[]> {
  return useWatched(
    client
      ? ({ onData, onError }) =>
          watchOrders(client, { market, account, provider, pollingInterval, onOrders: onData, onError })
      : null,
    [client, market, account, provider, pollingInterval],
    provider,
  );
}
