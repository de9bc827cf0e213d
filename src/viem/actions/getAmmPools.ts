import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAmmPoolsParameters, GetAmmPoolsReturnType } from '../generated/methods.ts';

/**
 * The AMM pools. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getAmmPools(
  client: RelayerClient,
  parameters: GetAmmPoolsParameters = {},
): Promise<GetAmmPoolsReturnType> {
  return askFor(client, 'relayer_getAmmPools', parameters);
}
