import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftOrderUserRateAmountParameters, GetNftOrderUserRateAmountReturnType } from '../generated/methods.ts';

/**
 * Fee rate and amount limits of NFT orders. Shows no window; needs the permission *read* and an
 * unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftOrderUserRateAmount = await client.relayer.getNftOrderUserRateAmount({
 *   nftTokenAddress: '0x8888888888888888888888888888888888888888',
 * });
 */
export function getNftOrderUserRateAmount(
  client: RelayerClient,
  parameters: GetNftOrderUserRateAmountParameters,
): Promise<GetNftOrderUserRateAmountReturnType> {
  return askFor(client, 'relayer_getNftOrderUserRateAmount', parameters);
}
