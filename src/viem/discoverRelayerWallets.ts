import {
  createStore,
  type EIP1193Provider,
  type EIP6963ProviderDetail,
  type EIP6963ProviderInfo,
  type Store,
} from 'mipd';

/** A wallet that offers the relayer's methods. */
export interface RelayerWallet {
  /** Name, icon and rdns as announced by EIP-6963. */
  readonly info: EIP6963ProviderInfo;
  readonly provider: EIP1193Provider;
}

export interface DiscoverRelayerWalletsParameters {
  /** Called with all that were found so far, each time there is one more. */
  readonly onWallets: (wallets: readonly RelayerWallet[]) => void;
  /** Takes the wallets of these names, such as `dev.countersign`, without asking any. */
  readonly rdns?: readonly string[] | undefined;
  /** A mipd store that the page has already, such as wagmi's; one of its own when absent. */
  readonly store?: Store | undefined;
}

/** Whether a wallet says by `wallet_getCapabilities` that it has relayer methods. No wallet shows a window for this. */
async function hasRelayer(provider: EIP1193Provider): Promise<boolean> {
  try {
    const request = provider.request as (args: { method: string }) => Promise<unknown>;
    const chains = Object.values((await request({ method: 'wallet_getCapabilities' })) as object);
    return chains.some((capabilities) => (capabilities as { relayer?: { supported?: unknown } }).relayer?.supported);
  } catch {
    // A wallet without the method, or one that answers connected sites only, is none of ours.
    return false;
  }
}

/**
 * Finds the wallets in this browser that speak to relayers: those that announce themselves by EIP-6963 and, unless `rdns`
 * names them, have relayer methods among their capabilities. Wallets may announce themselves at any time.
 * @returns What ends the search.
 * @example
 * const stop = discoverRelayerWallets({
 *   onWallets: ([wallet]) => connect(createWalletClient({ transport: custom(wallet.provider) }).extend(relayerActions())),
 * });
 */
export function discoverRelayerWallets({ onWallets, rdns, store }: DiscoverRelayerWalletsParameters): () => void {
  const source = store ?? createStore();
  const asked = new Set<string>();
  const found: RelayerWallet[] = [];
  let over = false;

  const consider = async ({ info, provider }: EIP6963ProviderDetail) => {
    if (asked.has(info.uuid)) return;
    asked.add(info.uuid);
    // Never inside the call: a callback may use what the call returns.
    await null;
    if (over) return;
    const fits = rdns ? rdns.includes(info.rdns) : await hasRelayer(provider);
    if (!fits || over) return;
    found.push({ info, provider });
    onWallets([...found]);
  };
  const unsubscribe = source.subscribe((details) => void Promise.all(details.map(consider)), { emitImmediately: true });
  return () => {
    over = true;
    unsubscribe();
    if (!store) source.destroy();
  };
}
