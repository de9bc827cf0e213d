import { ZERO_ADDRESS } from '../../../protocol/limits.ts';
import type { Sql } from '../../db/port.ts';
import type { OrderRow } from './orderRow.ts';

/*
 * How rows of the books are asked for, so that the database finds them in an index whatever stands
 * beside them: anybody may rest thousands of orders that only one named taker may fill, at any
 * price, and nobody else's order may become slower by them. The server may plan a statement once
 * for all its values, so each names what its index leaves out.
 */

export type Side = OrderRow['side'];

export const otherSide = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY');

/** Orders that anybody may take from the book. */
export const PUBLIC = `taker = '${ZERO_ADDRESS}' AND channel <> 'AMM_POOL'`;

/** @param owner - SQL of the only one who may take them. */
export const onlyFor = (owner: string): string =>
  `taker = ${owner} AND taker <> '${ZERO_ADDRESS}' AND channel <> 'AMM_POOL'`;

/** @param to - SQL of those who may take them. */
export const openTo = (side: Side, to: string): string =>
  `${to} AND side = '${side}' AND status = 'processing' AND resting`;

/**
 * @param seconds - SQL of the time in seconds. A sum is in no index: by the one of deadlines nearly
 *   every open order would be read.
 */
export const validAt = (seconds: string): string => `valid_until + 0 > ${seconds}`;

/** By price, then by age. */
export const BEST_FIRST = { SELL: 'price, seq', BUY: 'price DESC, seq' } as const;

/** A row of that side is met by an order whose limit follows. */
export const REACHED = { SELL: 'price <=', BUY: 'price >=' } as const;

/** `BEST_FIRST` and `REACHED` for indexes that hold both sides. */
const RANK = `(CASE orders.side WHEN 'SELL' THEN price ELSE -price END)`;
export const BY_RANK = `${RANK}, seq`;
/** @param price - SQL of the limit. */
export const reachedRank = (side: Side, price: string): string =>
  `${RANK} <= ${side === 'SELL' ? price : `-(${price}::numeric)`}`;

/** Orders that may be met on that side by the named owner alone. */
export const nameKey = (market: string, side: Side, taker: string): string => `${market} ${side} ${taker}`;

/**
 * Keys of the orders in the book that name an owner of these as their only taker, and are reached.
 */
export async function readNamed(
  tx: Sql,
  orders: readonly Pick<OrderRow, 'market' | 'side' | 'owner' | 'price'>[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ market: string; side: Side; owner: string }>(
    `SELECT market, side, owner FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[])
       AS met (market, side, owner, rank)
     WHERE EXISTS (SELECT 1 FROM orders WHERE ${onlyFor('met.owner')}
       AND orders.market = met.market AND orders.side = met.side AND status = 'processing' AND resting
       AND ${RANK} <= met.rank)`,
    [
      orders.map(({ market }) => market),
      orders.map(({ side }) => otherSide(side)),
      orders.map(({ owner }) => owner),
      // A buyer meets sales up to its price.
      orders.map(({ side, price }) => (side === 'BUY' ? price : -price)),
    ],
  );
  return new Set(rows.map(({ market, side, owner }) => nameKey(market, side, owner)));
}
