import { ask, type RelayerClient } from '../ask.ts';
import type { GetMixCandlestickParameters, GetMixCandlestickReturnType } from '../generated/methods.ts';

/**
 * Candles of a market with the trades of its pool, or of the pool alone, newest first. Shows no
 * window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const mixCandlestick = await client.relayer.getMixCandlestick({ market: 'LRC-ETH', interval: '1hr' });
 */
export function getMixCandlestick(
  client: RelayerClient,
  parameters: GetMixCandlestickParameters,
): Promise<GetMixCandlestickReturnType> {
  return ask(client, 'relayer_getMixCandlestick', parameters);
}
