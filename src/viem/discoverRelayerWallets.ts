import {
  createStore,
  type EIP1193Provider,
  type EIP6963ProviderDetail,
  type EIP6963ProviderInfo,
  type Store,
} from 'mipd';
import { delayOf } from './delayOf.ts';

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
  /**
   * Milliseconds after which the search ends; 5,000 when absent. They begin when a prerendered page
   * is shown. With 0 it goes on until it is stopped.
   */
  readonly timeout?: number | undefined;
  /** Ends the search; nothing is called any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether a wallet says by `wallet_getCapabilities` that it has relayer methods. No wallet shows a
 * window for this.
 */
async function hasRelayer(provider: EIP1193Provider): Promise<boolean> {
  try {
    const wallet = provider as { request(args: { method: string }): Promise<unknown> };
    const chains = Object.values((await wallet.request({ method: 'wallet_getCapabilities' })) as object);
    return chains.some((capabilities) => (capabilities as { relayer?: { supported?: unknown } }).relayer?.supported);
  } catch {
    // A wallet without the method, or one that answers connected sites only, is none of ours.
    return false;
  }
}

/**
 * Finds the wallets in this browser that speak to relayers: those that announce themselves by
 * EIP-6963 and, unless `rdns` names them, have relayer methods among their capabilities. The search
 * ends after `timeout`; when it has found none, `onWallets` is then called once, with an empty
 * list. It throws nothing.
 * @returns What ends the search; `onWallets` is not called after it.
 * @example
 * const stop = discoverRelayerWallets({
 *   onWallets: (wallets) => showMenu(wallets.map(({ info }) => info.name)),
 * });
 */
export function discoverRelayerWallets({
  onWallets,
  rdns,
  store,
  timeout = 5_000,
  signal,
}: DiscoverRelayerWalletsParameters): () => void {
  const source = store ?? createStore();
  const asked = new Set<string>();
  const found: RelayerWallet[] = [];
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    over = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    unsubscribe();
    if (!store) source.destroy();
  };
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
  const late = () => {
    stop();
    if (found.length === 0) onWallets([]);
  };
  const wait = () => {
    if (timeout > 0 && !over) timer = setTimeout(late, delayOf(timeout));
  };
  // A wallet can answer a prerendered page once it is shown.
  if ((globalThis.document as { prerendering?: boolean } | undefined)?.prerendering)
    document.addEventListener('prerenderingchange', wait);
  else wait();
  const unsubscribe = source.subscribe((details) => details.forEach(consider), { emitImmediately: true });
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop);
  return stop;
}
