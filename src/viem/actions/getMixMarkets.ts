import { ask, type RelayerClient } from '../ask.ts';
import type { GetMixMarketsParameters, GetMixMarketsReturnType } from '../generated/methods.ts';

/**
 * Markets with an order book or a pool. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const mixMarkets = await client.relayer.getMixMarkets();
 */
export function getMixMarkets(
  client: RelayerClient,
  parameters: GetMixMarketsParameters = {},
): Promise<GetMixMarketsReturnType> {
  return ask(client, 'relayer_getMixMarkets', parameters);
}
