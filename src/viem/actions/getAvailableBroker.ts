import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAvailableBrokerParameters, GetAvailableBrokerReturnType } from '../generated/methods.ts';

/**
 * Address that receives the fee transfer of a deployment. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getAvailableBroker(
  client: RelayerClient,
  parameters: GetAvailableBrokerParameters = {},
): Promise<GetAvailableBrokerReturnType> {
  return askFor(client, 'relayer_getAvailableBroker', parameters);
}
