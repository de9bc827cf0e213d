import type { Sql } from '../../db/port.ts';
import type { Pool } from '../catalog.ts';
import { priceText } from '../orders/describeOrder.ts';
import type { Selection } from './selection.ts';

/** A fill as the public may see it. */
export interface Trade {
  readonly id: number;
  readonly created_at: number;
  readonly side: 'BUY' | 'SELL';
  readonly taker_hash: string;
  readonly taker_account_id: number;
  readonly taker_sold: bigint;
  readonly taker_bought: bigint;
  readonly taker_fee: bigint;
  readonly block_id: number;
  readonly index_in_block: number;
}

/**
 * Trades of a market, newest first, whose id is above `after`. Each source is read by an index of
 * its own, so that the cost is that of the rows asked for.
 * @param options.pool - Whether with the trades of pools, or the address of the only one.
 */
export async function readTrades(
  sql: Sql,
  { market }: Selection,
  {
    book,
    pool,
    after = 0,
    limit,
    offset = 0,
  }: { book: boolean; pool: boolean | string; after?: number; limit: number; offset?: number },
): Promise<Trade[]> {
  const of = (condition: string) =>
    `(SELECT * FROM fills WHERE market = $1 AND ${condition} AND id > $2 ORDER BY id DESC LIMIT $3)`;
  const ofPool = `pool_address IS NOT NULL${typeof pool === 'string' ? ' AND pool_address = $6' : ''}`;
  const sources = [...(book ? [of('pool_address IS NULL')] : []), ...(pool ? [of(ofPool)] : [])];
  if (sources.length === 0) return [];
  return sql.query<Trade>(
    `SELECT * FROM (${sources.join(' UNION ALL ')}) AS trade ORDER BY id DESC LIMIT $4 OFFSET $5`,
    [market.market, after, limit + offset, limit, offset, ...(typeof pool === 'string' ? [pool] : [])],
  );
}

/** The number of the trades of one pool that are kept. */
export async function countPoolTrades(sql: Sql, { market }: Selection, { address }: Pool): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    'SELECT count(*) AS n FROM fills WHERE market = $1 AND pool_address = $2',
    [market.market, address],
  );
  return row?.n ?? 0;
}

/** Base and quote amount of a trade. */
export const amountsOf = ({ side, taker_sold, taker_bought }: Trade): readonly [bigint, bigint] =>
  side === 'SELL' ? [taker_sold, taker_bought] : [taker_bought, taker_sold];

/** A trade as a row of texts. */
export function describeTrade({ market }: Selection, trade: Trade): string[] {
  const [base, quote] = amountsOf(trade);
  return [
    String(trade.created_at),
    String(trade.id),
    trade.side,
    base.toString(),
    priceText(market, base, quote),
    market.market,
    trade.taker_fee.toString(),
    String(trade.block_id),
    String(trade.index_in_block),
  ];
}
