import { askFor, type RelayerClient } from '../ask.ts';
import type { GetOrdersParameters, GetOrdersReturnType } from '../generated/methods.ts';

/**
 * Orders of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const orders = await client.relayer.getOrders();
 */
export function getOrders(client: RelayerClient, parameters: GetOrdersParameters = {}): Promise<GetOrdersReturnType> {
  return askFor(client, 'relayer_getOrders', parameters);
}
