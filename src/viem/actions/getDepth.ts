import { askFor, type RelayerClient } from '../ask.ts';
import type { GetDepthParameters, GetDepthReturnType } from '../generated/methods.ts';

/**
 * The order book of a market, both sides best first. A slot is price, size, volume, number of orders. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getDepth(client: RelayerClient, parameters: GetDepthParameters): Promise<GetDepthReturnType> {
  return askFor(client, 'relayer_getDepth', parameters);
}
