import { type CandleInterval, candleIntervals } from './candleIntervals.ts';
import { described, field } from './described.ts';
import { doc } from './doc.ts';
import { commaList, milliseconds, queryInteger, queryMilliseconds } from './fields.ts';
import { once } from './once.ts';
import { totalNum } from './resources.ts';
import { rowDoc } from './rowDoc.ts';
import { z } from './zod.ts';

/** Parameters and rows that the endpoints and topics of market data share. */

/** A market's name in a query; the relayer takes any case. */
export const queryMarket = field(
  () => z.string().check(z.regex(/^[A-Za-z0-9.-]{1,80}$/, 'is not the name of a market')),
  doc?.('Trading pair, BASE-QUOTE; AMM-BASE-QUOTE for its pool alone where the endpoint covers pools'),
);

/** One or more markets in a query. */
export const queryMarketList = once(() => commaList(/^[A-Za-z0-9.-]{1,80}$/, 'names of markets'));

/**
 * A price in an answer. We write plain decimal texts; other relayers also numbers and scientific
 * notation.
 */
export const priceAnswer = field(
  () =>
    z.union([
      z.number().check(z.minimum(0)),
      z.string().check(z.regex(/^[0-9.]*([eE][+-]?[0-9]+)?$/, 'is not a price')),
    ]),
  doc?.('Whole quote tokens for a whole base token'),
);

/** Candles that one answer holds at most, and without a limit in the query. */
export const MAX_CANDLES = 1_000;
export const DEFAULT_CANDLES = 120;

export const candleInterval = field(
  () => z.enum(Object.keys(candleIntervals) as [CandleInterval, ...CandleInterval[]]),
  doc?.('Length of a candle'),
);

export const candlestickQuery = () =>
  z.strictObject({
    market: queryMarket(),
    interval: candleInterval(),
    start: described(z.optional(queryMilliseconds()), doc?.('Opened at or after, ms')),
    end: described(z.optional(queryMilliseconds()), doc?.('Opened at or before, ms')),
    limit: described(
      z.optional(queryInteger()),
      doc?.(`Rows to return, the newest; ${DEFAULT_CANDLES} when absent, ${MAX_CANDLES} at most`),
    ),
  });

export const candlestickAnswer = () =>
  z.looseObject({
    candlesticks: described(
      z.array(z.array(z.string())),
      doc?.(
        rowDoc(
          'Newest first',
          {
            openedAt: 'open time (ms)',
            trades: 'trades',
            open: 'open',
            close: 'close',
            high: 'high',
            low: 'low',
            baseVolume: 'base volume',
            quoteVolume: 'quote volume',
          },
          '. Intervals without a trade are left out',
        ),
      ),
    ),
  });

/** Slots of one side of a book. */
const depthSlots = field(
  () => z.array(z.array(z.string())),
  doc?.(
    rowDoc('Best first', {
      price: 'price',
      size: 'size (base)',
      volume: 'volume (quote)',
      orders: 'number of orders',
    }),
  ),
);

export const depthQuery = () =>
  z.strictObject({
    market: queryMarket(),
    level: described(
      z.optional(queryInteger()),
      doc?.('Aggregation of prices: 0, the finest and the default, to orderbookAggLevels - 1'),
    ),
    limit: described(z.optional(queryInteger(undefined, 1)), doc?.('Slots on each side; 50 when absent and at most')),
  });

export const depthAnswer = () =>
  z.looseObject({
    version: described(
      z.union([z.int().check(z.minimum(0)), z.string().check(z.regex(/^[0-9]{1,16}$/, 'is not a version'))]),
      doc?.('Grows with each change of the book'),
    ),
    timestamp: described(milliseconds(), doc?.('Time of the last change, ms')),
    market: described(z.string(), doc?.('Trading pair')),
    bids: depthSlots(),
    asks: depthSlots(),
  });

export const tickerQuery = () => z.strictObject({ market: queryMarketList() });

export const tickerAnswer = () =>
  z.looseObject({
    tickers: described(
      z.array(z.array(z.string())),
      doc?.(
        rowDoc(
          'One row for each market, in the order asked',
          {
            market: 'market',
            at: 'time (ms)',
            baseVolume: 'base volume',
            quoteVolume: 'quote volume',
            open: 'open',
            high: 'high',
            low: 'low',
            close: 'close',
            trades: 'trades',
            bestBid: 'best bid',
            bestAsk: 'best ask',
            baseFees: 'base fees of the pool',
            quoteFees: 'quote fees of the pool',
          },
          '. Of the last 24 hours; empty where nothing is known',
        ),
      ),
    ),
  });

/** Public trades: `trades` of an answer. */
export const publicTrades = () =>
  z.looseObject({
    totalNum: totalNum(),
    trades: described(
      z.array(z.array(z.string())),
      doc?.(
        rowDoc('Newest first', {
          createdAt: 'time (ms)',
          id: 'id',
          side: "the taker's side",
          size: 'base amount',
          price: 'price',
          market: 'market',
          fee: "the taker's fee in the token bought",
          blockId: 'block id',
          indexInBlock: 'index in block',
        }),
      ),
    ),
  });
