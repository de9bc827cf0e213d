'use client';
import type { WatchOrdersParameters } from '../actions/watchOrders.ts';
import type { EventSource } from '../actions/watchSubmission.ts';
import type { RelayerClient } from '../ask.ts';
import type { GetBalancesReturnType } from '../generated/methods.ts';
import { getBalances } from '../generated/reads.ts';
import { repeatRead } from '../repeatRead.ts';
import { useWatched, type Watched } from './useWatched.ts';

export interface UseBalancesParameters extends Pick<WatchOrdersParameters, 'account' | 'pollingInterval'> {
  /** Token ids; all when absent. */
  readonly tokens?: readonly number[] | undefined;
  /**
   * Tells at once when a request of the site has come further, the wallet is unlocked, or the site
   * sees another account or exchange: then the hook begins anew.
   */
  readonly provider?: EventSource | undefined;
}

/**
 * The balances of an account. Needs the permission *read*.
 * @param client - Reads nothing without one.
 * @example
 * const { data: balances } = useBalances(client, { tokens: [0, 1], provider });
 */
export function useBalances(
  client: RelayerClient | null | undefined,
  { tokens, account, provider, pollingInterval }: UseBalancesParameters = {},
): Watched<GetBalancesReturnType> {
  return useWatched(
    client
      ? ({ onData, onError }) =>
          repeatRead({
            read: async (isStopped) => {
              const balances = await getBalances(client, { tokens, account });
              if (!isStopped()) onData(balances);
            },
            onError,
            provider,
            pollingInterval: pollingInterval ?? client.pollingInterval,
          })
      : null,
    [client, tokens?.join(), account, provider, pollingInterval],
    provider,
  );
}
