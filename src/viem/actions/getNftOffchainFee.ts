import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftOffchainFeeParameters, GetNftOffchainFeeReturnType } from '../generated/methods.ts';

/**
 * Fees of NFT requests. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftOffchainFee = await client.relayer.getNftOffchainFee({ requestType: feeRequestTypes.NFT_TRANSFER });
 */
export function getNftOffchainFee(
  client: RelayerClient,
  parameters: GetNftOffchainFeeParameters,
): Promise<GetNftOffchainFeeReturnType> {
  return askFor(client, 'relayer_getNftOffchainFee', parameters);
}
