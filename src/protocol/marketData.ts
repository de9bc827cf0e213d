import { z } from 'zod';
import { type CandleInterval, candleIntervals } from './candleIntervals.ts';
import { deferred } from './deferred.ts';
import { commaList, milliseconds, queryInteger, queryMilliseconds } from './fields.ts';
import { totalNum } from './resources.ts';

/** Parameters and rows that the endpoints and topics of market data share. */

/** A market's name in a query; the relayer takes any case. */
export const queryMarket = deferred(() =>
  z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,80}$/, 'is not the name of a market')
    .describe('Trading pair, BASE-QUOTE; AMM-BASE-QUOTE for its pool alone where the endpoint covers pools'),
);

/** One or more markets in a query. */
export const queryMarketList = deferred(() => commaList(/^[A-Za-z0-9.-]{1,80}$/, 'names of markets'));

/** A price in an answer. We write plain decimal texts; other relayers also numbers and scientific notation. */
export const priceAnswer = deferred(() =>
  z
    .union([z.number().min(0), z.string().regex(/^[0-9.]*([eE][+-]?[0-9]+)?$/, 'is not a price')])
    .describe('Whole quote tokens for a whole base token'),
);

/** Candles that one answer holds at most, and without a limit in the query. */
export const MAX_CANDLES = 1_000;
export const DEFAULT_CANDLES = 120;

export const candlestickQuery = () =>
  z.strictObject({
    market: queryMarket,
    interval: z
      .enum(Object.keys(candleIntervals) as [CandleInterval, ...CandleInterval[]])
      .describe('Length of a candle'),
    start: queryMilliseconds.optional().describe('Opened at or after, ms'),
    end: queryMilliseconds.optional().describe('Opened at or before, ms'),
    limit: queryInteger()
      .optional()
      .describe(`Rows to return, the newest; ${DEFAULT_CANDLES} when absent, ${MAX_CANDLES} at most`),
  });

export const candlestickAnswer = () =>
  z.looseObject({
    candlesticks: z
      .array(z.array(z.string()))
      .describe(
        'Newest first: open time (ms), trades, open, close, high, low, base volume, quote volume. Intervals without a trade are left out',
      ),
  });

/** Slots of one side of a book. */
export const depthSlots = deferred(() =>
  z.array(z.array(z.string())).describe('Best first: price, size (base), volume (quote), number of orders'),
);

export const depthQuery = () =>
  z.strictObject({
    market: queryMarket,
    level: queryInteger()
      .optional()
      .describe('Aggregation of prices: 0, the finest and the default, to orderbookAggLevels - 1'),
    limit: queryInteger().optional().describe('Slots on each side; 50 when absent and at most'),
  });

export const depthAnswer = () =>
  z.looseObject({
    version: z
      .union([z.int().min(0), z.string().regex(/^[0-9]{1,16}$/, 'is not a version')])
      .describe('Grows with each change of the book'),
    timestamp: milliseconds.describe('Time of the last change, ms'),
    market: z.string().describe('Trading pair'),
    bids: depthSlots,
    asks: depthSlots,
  });

export const tickerQuery = () => z.strictObject({ market: queryMarketList });

export const tickerAnswer = () =>
  z.looseObject({
    tickers: z
      .array(z.array(z.string()))
      .describe(
        'One row for each market, in the order asked: market, time (ms), base volume, quote volume, open, high, low, close, trades, best bid, best ask, base fees and quote fees of the pool. Of the last 24 hours; empty where nothing is known',
      ),
  });

/** Public trades: `trades` of an answer. */
export const publicTrades = () =>
  z.looseObject({
    totalNum,
    trades: z
      .array(z.array(z.string()))
      .describe(
        "Newest first: time (ms), id, the taker's side, base amount, price, market, the taker's fee in the token bought, block id, index in block",
      ),
  });
