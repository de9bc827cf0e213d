import { candleIntervals } from '../../../protocol/candleIntervals.ts';
import { columns, type Sql } from '../../db/port.ts';
import { PRICE_SCALE } from '../marketData/prices.ts';
import type { OrderRow } from './orderRow.ts';

export interface FillRow {
  readonly taker: OrderRow;
  /** The maker's hash, or the pool's address. */
  readonly maker: string | null;
  readonly pool: string | null;
  readonly makerAccountId: number;
  readonly sold: bigint;
  readonly bought: bigint;
  readonly takerFee: bigint;
  readonly makerFee: bigint;
  readonly indexInBlock: number;
}

const INTERVALS = `'{${Object.values(candleIntervals).join()}}'::bigint[]`;

/**
 * Writes fills and adds them to their candles in one statement. Only the transaction that holds the
 * engine's lock does this, so the ids of fills are in the order of commits.
 */
export async function recordFills(tx: Sql, fills: readonly FillRow[], blockId: number, now: number): Promise<void> {
  await tx.query(
    `WITH trade AS (
       INSERT INTO fills (market, side, taker_hash, maker_hash, pool_address, taker_account_id, maker_account_id, taker_sold,
         taker_bought, taker_fee, maker_fee, block_id, index_in_block, created_at)
       SELECT market, side, taker_hash, maker_hash, pool_address, taker_account_id, maker_account_id, taker_sold,
         taker_bought, taker_fee, maker_fee, $13::bigint, index_in_block, $14::bigint
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::numeric[],
         $9::numeric[], $10::numeric[], $11::numeric[], $12::int[])
         AS fill (market, side, taker_hash, maker_hash, pool_address, taker_account_id, maker_account_id, taker_sold,
           taker_bought, taker_fee, maker_fee, index_in_block)
       RETURNING id, market, side, pool_address IS NOT NULL AS pool, taker_fee, created_at,
         CASE side WHEN 'SELL' THEN taker_sold ELSE taker_bought END AS base,
         CASE side WHEN 'SELL' THEN taker_bought ELSE taker_sold END AS quote),
     priced AS (SELECT *, div(quote * ${PRICE_SCALE}, base) AS price FROM trade)
     INSERT INTO candles AS held (market, interval_ms, open_at, pool, trades, open, close, high, low, base_volume,
       quote_volume, base_fee, quote_fee, first_fill, last_fill)
     SELECT market, interval_ms, created_at - created_at % interval_ms, pool, count(*),
       (array_agg(price ORDER BY id))[1], (array_agg(price ORDER BY id DESC))[1], max(price), min(price),
       sum(base), sum(quote), coalesce(sum(taker_fee) FILTER (WHERE side = 'BUY'), 0),
       coalesce(sum(taker_fee) FILTER (WHERE side = 'SELL'), 0), min(id), max(id)
     FROM priced CROSS JOIN unnest(${INTERVALS}) AS every (interval_ms)
     GROUP BY market, interval_ms, created_at - created_at % interval_ms, pool
     ON CONFLICT (market, interval_ms, open_at, pool) DO UPDATE SET
       trades = held.trades + excluded.trades, close = excluded.close,
       high = greatest(held.high, excluded.high), low = least(held.low, excluded.low),
       base_volume = held.base_volume + excluded.base_volume, quote_volume = held.quote_volume + excluded.quote_volume,
       base_fee = held.base_fee + excluded.base_fee, quote_fee = held.quote_fee + excluded.quote_fee,
       last_fill = excluded.last_fill`,
    [
      fills.map(({ taker }) => taker.market),
      fills.map(({ taker }) => taker.side),
      fills.map(({ taker }) => taker.hash),
      ...columns(fills, ['maker', 'pool']),
      fills.map(({ taker }) => taker.account_id),
      ...columns(fills, ['makerAccountId', 'sold', 'bought', 'takerFee', 'makerFee', 'indexInBlock']),
      blockId,
      now,
    ],
  );
}
