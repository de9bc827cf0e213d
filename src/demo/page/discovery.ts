import type { EIP1193Provider } from 'viem';

/** @see https://eips.ethereum.org/EIPS/eip-6963 */
interface ProviderInfo {
  readonly uuid: string;
  readonly name: string;
  /** A `data:` image. */
  readonly icon: string;
  readonly rdns: string;
}

export interface FoundWallet {
  readonly info: ProviderInfo;
  readonly provider: EIP1193Provider;
}

/** Reports each wallet that announces itself, once per uuid, now and later. */
export function discoverWallets(onWallet: (wallet: FoundWallet) => void): void {
  const seen = new Set<string>();
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<FoundWallet>;
    if (!detail?.info?.uuid || !detail.provider || seen.has(detail.info.uuid)) return;
    seen.add(detail.info.uuid);
    onWallet(detail);
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
}
