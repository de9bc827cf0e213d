import { ask, type RelayerClient } from '../ask.ts';
import type { GetCandlestickParameters, GetCandlestickReturnType } from '../generated/methods.ts';

/**
 * Candles of an order book, newest first. A row is open time, trades, open, close, high, low, base
 * volume, quote volume. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const candlestick = await client.relayer.getCandlestick({ market: 'LRC-ETH', interval: '1hr' });
 */
export function getCandlestick(
  client: RelayerClient,
  parameters: GetCandlestickParameters,
): Promise<GetCandlestickReturnType> {
  return ask(client, 'relayer_getCandlestick', parameters);
}
