import { BIPS } from '../../../protocol/limits.ts';
import type { Sql } from '../../db/port.ts';
import type { Market, Pool } from '../catalog.ts';
import { type Book, reservesOf } from './book.ts';
import { BY_RANK } from './bookRows.ts';
import { REACHABLE_BY_POOL } from './dueOrders.ts';
import { ceilDiv, crosses, fillAtMakerPrice, isExhausted, isFilled, type OpenAmounts } from './fillMath.ts';
import type { BookOrder, OrderRow } from './orderRow.ts';
import { fillFromPool, isReachedBy, type Reserves } from './poolMath.ts';
import type { Settlement } from './settlement.ts';

/** Bounds the work of one order in one transaction. */
const FILLS_PER_ROUND = 200;
/**
 * Fills of the same two orders one after another; each takes the largest part of the rest that
 * block floats express.
 */
export const FILLS_OF_A_PAIR = 8;
/**
 * Makers that an order passes over because no fill with them can be expressed; behind them it finds
 * none.
 */
const MAKERS_PASSED = 50;
/**
 * Best-priced resting orders of a side that are compared with a pool: one with little left may need
 * a better price of the pool than the next ones, because the units of so few are rounded.
 */
const FRONT = 20;

/**
 * Matches one order as a taker, by price and then time, against the book and its pool, and rests or
 * closes what remains. Everything happens in memory; `Settlement` writes it.
 */
export async function matchOrder(book: Book, settlement: Settlement, order: OrderRow): Promise<void> {
  const { catalog } = book.relayer;
  const market = catalog.market(order.market);
  if (!market) throw new Error(`market ${order.market} of an open order is gone`);
  const pool = order.order_type === 'MAKER_ONLY' ? undefined : catalog.openPool(order);
  const dust = dustOf(market, order);
  // The taker may find a better price than its own for what is left of it.
  const isDone = (filled: OrderRow) =>
    isFilled(open(filled), ...dustOf(market, filled)) || (filled !== order && isSpent(market, filled));
  const passed = new Set<OrderRow>();
  let last: { readonly maker: OrderRow; readonly fills: number } | undefined;
  for (let round = 0; order.status === 'processing'; round++) {
    // Neither rested nor closed, it is taken up again.
    if (round === FILLS_PER_ROUND) return;
    const maker =
      order.channel === 'AMM_POOL' || passed.size === MAKERS_PASSED ? undefined : await book.bestFor(order, passed);
    const crossing = maker && crosses(open(order), open(maker)) ? maker : undefined;
    if (order.order_type === 'MAKER_ONLY' && crossing && !order.resting) {
      settlement.close(order, 'cancelled');
      return;
    }
    if (pool) {
      // The pool takes no fee beside what it gives less; the book's offer counts with the fee that
      // the taker pays there.
      const best = crossing && {
        sold: crossing.amount_b * BIPS,
        bought: crossing.amount_s * (BIPS - BigInt(order.taker_bips)),
      };
      const fill = fillFromPool(await book.reserves(pool, order), pool.feeBips, open(order), best);
      if (fill && fill.sold > dust[0]) {
        settlement.fillFromPool(order, pool, fill, isDone);
        book.movePool(pool, order, fill);
        continue;
      }
    }
    if (!crossing) break;
    const fills = last?.maker === crossing ? last.fills : 0;
    const fill = fills < FILLS_OF_A_PAIR ? fillAtMakerPrice(open(order), open(crossing)) : undefined;
    if (fill) {
      settlement.fillFromBook(order, crossing, fill, isDone);
      last = { maker: crossing, fills: fills + 1 };
    } else if (isTakerExhausted(order, crossing)) break;
    else if (isSpent(market, crossing)) settlement.close(crossing, 'processed');
    else passed.add(crossing);
  }
  if (order.status !== 'processing') return;
  // The pool would take all of it, and did not: it is dust, which would stay in front of the pool's
  // other orders for ever.
  const isDust = pool && fillFromPool(await book.reserves(pool, order), pool.feeBips, open(order), undefined)?.isWhole;
  if (isSpent(market, order) || (isDust && order.filled_s > 0n)) settlement.close(order, 'processed');
  else if (isDust || order.order_type === 'TAKER_ONLY') settlement.close(order, 'cancelled');
  else if (!order.resting) {
    settlement.rest(order);
    book.add(order);
  }
}

export function open(order: BookOrder): OpenAmounts {
  return {
    amountS: order.amount_s,
    amountB: order.amount_b,
    filledS: order.filled_s,
    filledB: order.filled_b,
    fillByB: order.fill_by_b,
    locked: order.locked,
  };
}

function dustOf(market: Market, order: BookOrder): [bigint, bigint] {
  const { base, quote } = market;
  return order.token_s === base.tokenId ? [base.dust, quote.dust] : [quote.dust, base.dust];
}

/**
 * Whether what fills have left of an order is not worth resting: few units cost more than their
 * price (`fillAtMakerPrice`), so hardly anybody could fill it, and all would have to pass it.
 */
export const isSpent = (market: Market, order: BookOrder): boolean =>
  order.filled_s > 0n && isExhausted(open(order), ...dustOf(market, order));

/** No fill was possible: is it the taker who cannot even pay one unit at this price? */
function isTakerExhausted(order: OrderRow, maker: OrderRow): boolean {
  const left = order.fill_by_b ? order.amount_b - order.filled_b : order.amount_s - order.filled_s;
  const needed = order.fill_by_b ? 1n : ceilDiv(maker.amount_b, maker.amount_s);
  return left < needed || order.locked < needed;
}

/**
 * Resting orders that a moved pool reaches now; they are matched again as takers. Less than a
 * thousandth of an order, or of the pool when that is smaller, is not worth a transaction, and
 * would never end, unless it is all that is left of the order. Such an order waits, and those
 * behind it wait with it: by price and then time.
 */
export async function restingOrdersReachedBy(tx: Sql, pool: Pool): Promise<OrderRow[]> {
  const reached: OrderRow[] = [];
  if (!pool.enabled) return reached;
  for (const side of ['BUY', 'SELL'] as const) {
    const front = (count: number) =>
      tx.query<OrderRow>(
        `SELECT * FROM orders WHERE pool_address = $1 AND side = $2 AND max_fee_bips >= $3 AND ${REACHABLE_BY_POOL}
         ORDER BY ${BY_RANK} LIMIT ${count}`,
        [pool.address.toLowerCase(), side, pool.feeBips],
      );
    const [first] = await front(1);
    if (!first) continue;
    const reserves = await reservesOf(tx, pool, first);
    const dust = pool.tokens.find((token) => token.tokenId === first.token_s)?.dust ?? 0n;
    const reach = (order: OrderRow) => reachOf(reserves, pool, order, dust);
    const hasFill = (order: OrderRow) => reach(order) !== 'none';
    // Else the pool's price at its best is not within the limit, nor within those behind it.
    const isNear = isReachedBy(reserves, pool.feeBips, open(first));
    const row = hasFill(first) ? first : isNear ? (await front(FRONT)).find(hasFill) : undefined;
    if (row && reach(row) === 'reached') reached.push(row);
  }
  return reached;
}

/** `none`: the pool fills nothing of it, or dust; `waits`: too little to be worth a transaction. */
function reachOf(reserves: Reserves, { feeBips }: Pool, order: OrderRow, dust: bigint): 'none' | 'waits' | 'reached' {
  try {
    const fill = fillFromPool(reserves, feeBips, open(order), undefined);
    if (!fill || (!fill.isWhole && fill.sold <= dust)) return 'none';
    // A large order at a small pool would keep those behind it waiting for too long.
    const worth = order.amount_s < reserves.sold ? order.amount_s : reserves.sold;
    return fill.isWhole || fill.sold * 1000n > worth ? 'reached' : 'waits';
  } catch {
    // Matching fails in the same way, where it ends this order and stops no other.
    return 'reached';
  }
}
