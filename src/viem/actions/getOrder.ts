import { askFor, type RelayerClient } from '../ask.ts';
import type { GetOrderParameters, GetOrderReturnType } from '../generated/methods.ts';

/**
 * One order by its hash. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const found = await client.relayer.getOrder({ orderHash: hash });
 */
export function getOrder(client: RelayerClient, parameters: GetOrderParameters): Promise<GetOrderReturnType> {
  return askFor(client, 'relayer_getOrder', parameters);
}
