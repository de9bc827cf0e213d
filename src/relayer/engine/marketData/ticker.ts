import { candleIntervals } from '../../../protocol/candleIntervals.ts';
import { scaledText } from '../../../protocol/scaledText.ts';
import type { Relayer } from '../relayer.ts';
import { dayBegan, readCandles, sumCandles } from './candles.ts';
import { readDepth } from './depth.ts';
import { candlePriceText } from './prices.ts';
import type { Selection } from './selection.ts';

/**
 * The ticker of a market as a row of 13 texts: market, time, base and quote volume, open, high,
 * low, close, trades, best bid, best ask, base and quote fees of the pool. The day ends with the
 * running minute. What is not known is empty; the close is that of the last trade ever.
 */
export async function describeTicker(relayer: Relayer, selection: Selection, mixed: boolean): Promise<string[]> {
  const { histories, clock } = relayer;
  const now = clock.now();
  const [day, [last], depth] = await Promise.all([
    sumCandles(histories, selection, dayBegan(now)),
    readCandles(histories, selection, candleIntervals['1w'], { limit: 1 }),
    readDepth(histories, selection, mixed, { level: 0, limit: 1, showOverlap: false }),
  ]);
  const price = (scaled: bigint | undefined) => (scaled === undefined ? '' : candlePriceText(selection.market, scaled));
  const best = (slots: typeof depth.bids) => (slots[0] ? scaledText(slots[0].tick, depth.precision) : '');
  const fee = (amount: bigint | undefined) => (selection.pool ? (amount ?? 0n).toString() : '');
  return [
    selection.name,
    String(now),
    (day?.base_volume ?? 0n).toString(),
    (day?.quote_volume ?? 0n).toString(),
    price(day?.open),
    price(day?.high),
    price(day?.low),
    price(last?.close),
    String(day?.trades ?? 0),
    best(depth.bids),
    best(depth.asks),
    fee(day?.pool_base_fee),
    fee(day?.pool_quote_fee),
  ];
}
