'use client';
import {
  type DiscoverRelayerWalletsParameters,
  discoverRelayerWallets,
  type RelayerWallet,
} from '../discoverRelayerWallets.ts';
import { useWatched } from './useWatched.ts';

export type UseRelayerWalletParameters = Pick<DiscoverRelayerWalletsParameters, 'timeout' | 'rdns' | 'store'>;

/**
 * The first wallet in this browser that speaks to relayers.
 * @returns `undefined` while it is searched for, `null` when none has been found within `timeout`.
 * @example
 * const wallet = useRelayerWallet();
 */
export function useRelayerWallet({
  timeout,
  rdns,
  store,
}: UseRelayerWalletParameters = {}): RelayerWallet | null | undefined {
  return useWatched<RelayerWallet | null>(
    ({ onData }) => discoverRelayerWallets({ timeout, rdns, store, onWallets: ([wallet]) => onData(wallet ?? null) }),
    [timeout, rdns?.join(), store],
  ).data;
}
