import { ask, type RelayerClient } from '../ask.ts';
import type { GetDepthParameters, GetDepthReturnType } from '../generated/methods.ts';

/**
 * The order book of a market, both sides best first. A slot is price, size, volume, number of
 * orders. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const depth = await client.relayer.getDepth({ market: 'LRC-ETH' });
 */
export function getDepth(client: RelayerClient, parameters: GetDepthParameters): Promise<GetDepthReturnType> {
  return ask(client, 'relayer_getDepth', parameters);
}
