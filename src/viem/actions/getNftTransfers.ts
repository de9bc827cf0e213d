import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftTransfersParameters, GetNftTransfersReturnType } from '../generated/methods.ts';

/**
 * NFT transfers of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftTransfers = await client.relayer.getNftTransfers();
 */
export function getNftTransfers(
  client: RelayerClient,
  parameters: GetNftTransfersParameters = {},
): Promise<GetNftTransfersReturnType> {
  return askFor(client, 'relayer_getNftTransfers', parameters);
}
