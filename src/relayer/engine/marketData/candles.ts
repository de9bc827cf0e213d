import { candleIntervals } from '../../../protocol/candleIntervals.ts';
import type { Sql } from '../../db/port.ts';
import { candlePriceText } from './prices.ts';
import { type Selection, sourcesOf } from './selection.ts';

export interface Candle {
  readonly open_at: number;
  readonly trades: number;
  /** Prices: quote for base in base units, scaled by 10^36. */
  readonly open: bigint;
  readonly close: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly base_volume: bigint;
  readonly quote_volume: bigint;
  /** Fees that takers of the pool paid. */
  readonly pool_base_fee: bigint;
  readonly pool_quote_fee: bigint;
}

/**
 * Book and pool have a row each for the same interval. What was traded first and last decides open
 * and close.
 */
const MERGED = `sum(trades)::bigint AS trades, (array_agg(open ORDER BY first_fill))[1] AS open,
  (array_agg(close ORDER BY last_fill DESC))[1] AS close, max(high) AS high, min(low) AS low,
  sum(base_volume) AS base_volume, sum(quote_volume) AS quote_volume,
  coalesce(sum(base_fee) FILTER (WHERE pool), 0) AS pool_base_fee,
  coalesce(sum(quote_fee) FILTER (WHERE pool), 0) AS pool_quote_fee`;

/** Candles, newest first. Bounds are inclusive. */
export function readCandles(
  sql: Sql,
  selection: Selection,
  intervalMs: number,
  { start = 0, end = Number.MAX_SAFE_INTEGER, limit }: { start?: number; end?: number; limit: number },
): Promise<Candle[]> {
  return sql.query<Candle>(
    `SELECT open_at, ${MERGED} FROM candles
     WHERE market = $1 AND interval_ms = $2 AND pool = ANY($3::bool[]) AND open_at BETWEEN $4 AND $5
     GROUP BY open_at ORDER BY open_at DESC LIMIT $6`,
    [selection.market.market, intervalMs, sourcesOf(selection), start, end, limit],
  );
}

/** The minute after which a day of candles opens that ends with the running minute. */
export const dayBegan = (now: number): number => now - (now % candleIntervals['1min']) - candleIntervals['1d'];

/**
 * Sums the trades of the minutes that opened after `since` into one candle; without a price when
 * there was no trade.
 */
export async function sumCandles(
  sql: Sql,
  selection: Selection,
  since: number,
): Promise<Omit<Candle, 'open_at'> | undefined> {
  const [row] = await sql.query<Omit<Candle, 'open_at'>>(
    `SELECT ${MERGED} FROM candles
     WHERE market = $1 AND interval_ms = $2 AND pool = ANY($3::bool[]) AND open_at > $4 HAVING count(*) > 0`,
    [selection.market.market, candleIntervals['1min'], sourcesOf(selection), since],
  );
  return row;
}

/** The number of all trades, from the few longest candles. */
export async function countTrades(sql: Sql, { market }: Selection, sources: readonly boolean[]): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `SELECT coalesce(sum(trades), 0)::bigint AS n FROM candles
     WHERE market = $1 AND interval_ms = $2 AND pool = ANY($3::bool[])`,
    [market.market, candleIntervals['1w'], sources],
  );
  return row?.n ?? 0;
}

/** A candle as a row of texts. Its order is not the usual one: open, close, high, low. */
export function describeCandle({ market }: Selection, candle: Candle): string[] {
  const price = (scaled: bigint) => candlePriceText(market, scaled);
  return [
    String(candle.open_at),
    String(candle.trades),
    price(candle.open),
    price(candle.close),
    price(candle.high),
    price(candle.low),
    candle.base_volume.toString(),
    candle.quote_volume.toString(),
  ];
}
