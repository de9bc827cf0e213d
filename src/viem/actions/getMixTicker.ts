import { ask, type RelayerClient } from '../ask.ts';
import type { GetMixTickerParameters, GetMixTickerReturnType } from '../generated/methods.ts';

/**
 * The last 24 hours of markets with their pools, or of pools alone. Shows no window and needs no
 * connection.
 * @throws {RelayerActionError}
 * @example
 * const mixTicker = await client.relayer.getMixTicker({ market: ['LRC-ETH'] });
 */
export function getMixTicker(
  client: RelayerClient,
  parameters: GetMixTickerParameters,
): Promise<GetMixTickerReturnType> {
  return ask(client, 'relayer_getMixTicker', parameters);
}
