import { askFor, type RelayerClient } from '../ask.ts';
import type { GetMixCandlestickParameters, GetMixCandlestickReturnType } from '../generated/methods.ts';

/**
 * Candles of a market with the trades of its pool, or of the pool alone, newest first. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getMixCandlestick(
  client: RelayerClient,
  parameters: GetMixCandlestickParameters,
): Promise<GetMixCandlestickReturnType> {
  return askFor(client, 'relayer_getMixCandlestick', parameters);
}
