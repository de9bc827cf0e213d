import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftDataParameters, GetNftDataReturnType } from '../generated/methods.ts';

/**
 * Reads the fields that identify an NFT on L2. Shows no window; needs the permission *read* and an
 * unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftData = await client.relayer.getNftData({
 *   minter: '0x8888888888888888888888888888888888888888',
 *   tokenAddress: '0x8888888888888888888888888888888888888888',
 *   nftId: slot.nftId,
 * });
 */
export function getNftData(client: RelayerClient, parameters: GetNftDataParameters): Promise<GetNftDataReturnType> {
  return askFor(client, 'relayer_getNftData', parameters);
}
