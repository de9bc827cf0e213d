import { candleIntervals } from '../../protocol/candleIntervals.ts';
import type { EndpointAnswer } from '../../protocol/endpointTable.ts';
import { DEFAULT_CANDLES, MAX_CANDLES } from '../../protocol/marketData.ts';
import { describeCandle, readCandles } from '../engine/marketData/candles.ts';
import { needSelection } from '../engine/marketData/selection.ts';
import type { Call, Route } from '../server/route.ts';

/** Candles of a market, with the fills of its pool or without. */
export async function answerCandlesticks(
  { relayer, query }: Call<'getCandlestick'> | Call<'getMixCandlestick'>,
  withPools: boolean,
): Promise<EndpointAnswer<'getCandlestick'>> {
  const selection = needSelection(relayer, query.market, withPools);
  const candles = await readCandles(relayer.histories, selection, candleIntervals[query.interval], {
    ...(query.start !== undefined && { start: query.start }),
    ...(query.end !== undefined && { end: query.end }),
    limit: Math.min(query.limit ?? DEFAULT_CANDLES, MAX_CANDLES),
  });
  return { candlesticks: candles.map((candle) => describeCandle(selection, candle)) };
}

export const getCandlestick: Route<'getCandlestick'> = { handle: (call) => answerCandlesticks(call, false) };
