import { askFor, type RelayerClient } from '../ask.ts';
import type { GetMixTickerParameters, GetMixTickerReturnType } from '../generated/methods.ts';

/**
 * The last 24 hours of markets with their pools, or of pools alone. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getMixTicker(
  client: RelayerClient,
  parameters: GetMixTickerParameters,
): Promise<GetMixTickerReturnType> {
  return askFor(client, 'relayer_getMixTicker', parameters);
}
