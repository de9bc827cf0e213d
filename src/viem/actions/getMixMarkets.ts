import { askFor, type RelayerClient } from '../ask.ts';
import type { GetMixMarketsParameters, GetMixMarketsReturnType } from '../generated/methods.ts';

/**
 * Markets with an order book or a pool. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getMixMarkets(
  client: RelayerClient,
  parameters: GetMixMarketsParameters = {},
): Promise<GetMixMarketsReturnType> {
  return askFor(client, 'relayer_getMixMarkets', parameters);
}
