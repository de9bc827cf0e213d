import { askFor, type RelayerClient } from '../ask.ts';
import type { GetMarketsParameters, GetMarketsReturnType } from '../generated/methods.ts';

/**
 * The order book markets. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getMarkets(
  client: RelayerClient,
  parameters: GetMarketsParameters = {},
): Promise<GetMarketsReturnType> {
  return askFor(client, 'relayer_getMarkets', parameters);
}
