import { networkIdOf } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';

/**
 * The relayer's host that a request of the wallet's own pages was about, for the sentence of its
 * failure.
 * @returns Such as `relayer.example:8443`; empty when the request names neither relayer nor account
 *   and there are several.
 */
export async function hostOf(wallet: Pick<Wallet, 'config'>, params: unknown): Promise<string> {
  const { baseUrl, networkId, account } = params as {
    readonly baseUrl?: string;
    readonly networkId?: string;
    readonly account?: string | null;
  };
  if (baseUrl !== undefined) return URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  const { networks } = await wallet.config.read();
  const named = networkId ?? networkIdOf(account ?? '');
  const network = networks.find(({ id }) => id === named) ?? (networks.length === 1 ? networks[0] : undefined);
  return network === undefined ? '' : new URL(network.baseUrl).host;
}
