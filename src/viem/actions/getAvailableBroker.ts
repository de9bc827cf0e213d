import { ask, type RelayerClient } from '../ask.ts';
import type { GetAvailableBrokerParameters, GetAvailableBrokerReturnType } from '../generated/methods.ts';

/**
 * Address that receives the fee transfer of a deployment. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const availableBroker = await client.relayer.getAvailableBroker();
 */
export function getAvailableBroker(
  client: RelayerClient,
  parameters: GetAvailableBrokerParameters = {},
): Promise<GetAvailableBrokerReturnType> {
  return ask(client, 'relayer_getAvailableBroker', parameters);
}
