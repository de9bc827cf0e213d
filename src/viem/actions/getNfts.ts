import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftsParameters, GetNftsReturnType } from '../generated/methods.ts';

/**
 * Reads the fields that identify several NFTs. Shows no window; needs the permission *read* and an
 * unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nfts = await client.relayer.getNfts({ nftDatas: [slot.nftData] });
 */
export function getNfts(client: RelayerClient, parameters: GetNftsParameters): Promise<GetNftsReturnType> {
  return askFor(client, 'relayer_getNfts', parameters);
}
