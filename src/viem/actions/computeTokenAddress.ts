import { ask, type RelayerClient } from '../ask.ts';
import type { ComputeTokenAddressParameters, ComputeTokenAddressReturnType } from '../generated/methods.ts';

/**
 * Address of an NFT contract before it is deployed. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const token = await client.relayer.computeTokenAddress({
 *   nftFactory: '0x8888888888888888888888888888888888888888',
 *   nftOwner: '0x8888888888888888888888888888888888888888',
 * });
 */
export function computeTokenAddress(
  client: RelayerClient,
  parameters: ComputeTokenAddressParameters,
): Promise<ComputeTokenAddressReturnType> {
  return ask(client, 'relayer_computeTokenAddress', parameters);
}
