import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftOrderFeeParameters, GetNftOrderFeeReturnType } from '../generated/methods.ts';

/**
 * Fee rate of one NFT order. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 */
export function getNftOrderFee(
  client: RelayerClient,
  parameters: GetNftOrderFeeParameters,
): Promise<GetNftOrderFeeReturnType> {
  return askFor(client, 'relayer_getNftOrderFee', parameters);
}
