import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftTradesParameters, GetNftTradesReturnType } from '../generated/methods.ts';

/**
 * NFT trades of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftTrades = await client.relayer.getNftTrades();
 */
export function getNftTrades(
  client: RelayerClient,
  parameters: GetNftTradesParameters = {},
): Promise<GetNftTradesReturnType> {
  return askFor(client, 'relayer_getNftTrades', parameters);
}
