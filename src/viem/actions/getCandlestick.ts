import { askFor, type RelayerClient } from '../ask.ts';
import type { GetCandlestickParameters, GetCandlestickReturnType } from '../generated/methods.ts';

/**
 * Candles of an order book, newest first. A row is open time, trades, open, close, high, low, base volume, quote volume. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getCandlestick(
  client: RelayerClient,
  parameters: GetCandlestickParameters,
): Promise<GetCandlestickReturnType> {
  return askFor(client, 'relayer_getCandlestick', parameters);
}
