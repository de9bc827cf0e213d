import {
  type DiscoverRelayerWalletsParameters,
  discoverRelayerWallets,
  type RelayerWallet,
} from './discoverRelayerWallets.ts';

export type FindRelayerWalletParameters = Omit<DiscoverRelayerWalletsParameters, 'onWallets'>;

/**
 * The first wallet in this browser that speaks to relayers. A page that lets the user choose among
 * several takes `discoverRelayerWallets`.
 * @returns `null` when none has been found within `timeout`, 5 seconds when absent.
 * @throws The reason of `signal`, when it is aborted.
 * @example
 * const wallet = await findRelayerWallet({ timeout: 2_000 });
 * if (wallet === null) showHowToInstall();
 */
export function findRelayerWallet(parameters: FindRelayerWalletParameters = {}): Promise<RelayerWallet | null> {
  const { signal } = parameters;
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal?.reason);
    const stop = discoverRelayerWallets({
      ...parameters,
      onWallets: ([wallet]) => {
        stop();
        signal?.removeEventListener('abort', aborted);
        resolve(wallet ?? null);
      },
    });
    if (signal?.aborted) aborted();
    else signal?.addEventListener('abort', aborted);
  });
}
