import { askFor, type RelayerClient } from '../ask.ts';
import type { ComputeTokenAddressParameters, ComputeTokenAddressReturnType } from '../generated/methods.ts';

/**
 * Address of an NFT contract before it is deployed. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function computeTokenAddress(
  client: RelayerClient,
  parameters: ComputeTokenAddressParameters,
): Promise<ComputeTokenAddressReturnType> {
  return askFor(client, 'relayer_computeTokenAddress', parameters);
}
