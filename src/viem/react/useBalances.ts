'use client';
import type { Address } from 'viem';
import type { EventSource } from '../actions/watchSubmission.ts';
import type { RelayerClient } from '../ask.ts';
import type { GetBalancesReturnType } from '../generated/methods.ts';
import { getBalances } from '../generated/reads.ts';
import { repeatRead } from '../repeatRead.ts';
import { useWatched, type Watched } from './useWatched.ts';

export interface UseBalancesParameters {
  /** Token ids; all when absent. */
  readonly tokens?: readonly number[] | undefined;
  /**
   * Owner address of one of the accounts that the site sees; the client's account, else the first.
   */
  readonly account?: Address | undefined;
  /**
   * Tells at once when a request of the site has come further, the wallet is unlocked, or the site
   * sees another account or exchange: then the hook begins anew.
   */
  readonly provider?: EventSource | undefined;
  /** Milliseconds between reads; the client's when absent. */
  readonly pollingInterval?: number | undefined;
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
