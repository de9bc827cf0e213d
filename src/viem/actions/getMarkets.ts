import { ask, type RelayerClient } from '../ask.ts';
import type { GetMarketsParameters, GetMarketsReturnType } from '../generated/methods.ts';

/**
 * The order book markets. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const markets = await client.relayer.getMarkets();
 */
export function getMarkets(
  client: RelayerClient,
  parameters: GetMarketsParameters = {},
): Promise<GetMarketsReturnType> {
  return ask(client, 'relayer_getMarkets', parameters);
}
