import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftMintsParameters, GetNftMintsReturnType } from '../generated/methods.ts';

/**
 * NFT mints of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftMints = await client.relayer.getNftMints();
 */
export function getNftMints(
  client: RelayerClient,
  parameters: GetNftMintsParameters = {},
): Promise<GetNftMintsReturnType> {
  return askFor(client, 'relayer_getNftMints', parameters);
}
