import { askFor, type RelayerClient } from '../ask.ts';
import type { GetCodeParameters, GetCodeReturnType } from '../generated/methods.ts';

/**
 * L1 code of an NFT contract; 0x while it is not deployed. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getCode(client: RelayerClient, parameters: GetCodeParameters): Promise<GetCodeReturnType> {
  return askFor(client, 'relayer_getCode', parameters);
}
