import { askFor, type RelayerClient } from '../ask.ts';
import type { GetOffchainFeeParameters, GetOffchainFeeReturnType } from '../generated/methods.ts';

/**
 * Fees of off-chain requests. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const offchainFee = await client.relayer.getOffchainFee({ requestType: 3 });
 */
export function getOffchainFee(
  client: RelayerClient,
  parameters: GetOffchainFeeParameters,
): Promise<GetOffchainFeeReturnType> {
  return askFor(client, 'relayer_getOffchainFee', parameters);
}
