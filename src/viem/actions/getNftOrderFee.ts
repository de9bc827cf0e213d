import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftOrderFeeParameters, GetNftOrderFeeReturnType } from '../generated/methods.ts';

/**
 * Fee rate of one NFT order. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftOrderFee = await client.relayer.getNftOrderFee({
 *   nftTokenAddress: '0x8888888888888888888888888888888888888888',
 *   quoteToken: 0,
 *   quoteAmount: 10n ** 18n,
 * });
 */
export function getNftOrderFee(
  client: RelayerClient,
  parameters: GetNftOrderFeeParameters,
): Promise<GetNftOrderFeeReturnType> {
  return askFor(client, 'relayer_getNftOrderFee', parameters);
}
