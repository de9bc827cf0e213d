import { ask, type RelayerClient } from '../ask.ts';
import type { GetAmmPoolsParameters, GetAmmPoolsReturnType } from '../generated/methods.ts';

/**
 * The AMM pools. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const ammPools = await client.relayer.getAmmPools();
 */
export function getAmmPools(
  client: RelayerClient,
  parameters: GetAmmPoolsParameters = {},
): Promise<GetAmmPoolsReturnType> {
  return ask(client, 'relayer_getAmmPools', parameters);
}
