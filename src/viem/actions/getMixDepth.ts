import { ask, type RelayerClient } from '../ask.ts';
import type { GetMixDepthParameters, GetMixDepthReturnType } from '../generated/methods.ts';

/**
 * The order book of a market with what its pool offers. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const mixDepth = await client.relayer.getMixDepth({ market: 'LRC-ETH' });
 */
export function getMixDepth(client: RelayerClient, parameters: GetMixDepthParameters): Promise<GetMixDepthReturnType> {
  return ask(client, 'relayer_getMixDepth', parameters);
}
