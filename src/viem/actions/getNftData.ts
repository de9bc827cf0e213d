import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftDataParameters, GetNftDataReturnType } from '../generated/methods.ts';

/**
 * What identifies an NFT on L2. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 */
export function getNftData(client: RelayerClient, parameters: GetNftDataParameters): Promise<GetNftDataReturnType> {
  return askFor(client, 'relayer_getNftData', parameters);
}
