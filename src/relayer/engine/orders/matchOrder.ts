import { ZERO_ADDRESS } from '../../../protocol/fields.ts';
import type { Sql } from '../../db/port.ts';
import { lockAccounts } from '../accounts.ts';
import type { OpenBlock } from '../blocks.ts';
import type { Market, Pool } from '../catalog.ts';
import type { Relayer } from '../relayer.ts';
import { crosses, fillAtMakerPrice, isFilled, type OpenAmounts } from './fillMath.ts';
import { closeOrder, type OrderRow } from './orderRow.ts';
import { fillFromPool, type Reserves } from './poolMath.ts';
import { settleBookFill, settlePoolFill } from './settleFill.ts';

/** Bounds the work of one order in one transaction. */
const FILLS_PER_ROUND = 200;

/**
 * Matches one order as a taker, by price and then time, against the book and its pool, and rests or closes what remains.
 * Runs in the engine's transaction.
 */
export async function matchOrder(
  relayer: Relayer,
  tx: Sql,
  block: OpenBlock,
  { hash, account_id }: Pick<OrderRow, 'hash' | 'account_id'>,
): Promise<void> {
  const now = relayer.clock.now();
  await lockAccounts(tx, [account_id]);
  const [order] = await tx.query<OrderRow>(`SELECT * FROM orders WHERE hash = $1 AND status = 'processing'`, [hash]);
  if (!order) return;
  const market = relayer.catalog.market(order.market);
  if (!market) throw new Error(`market ${order.market} of an open order is gone`);
  const pool = order.pool_address === '' ? undefined : relayer.catalog.pool(order.pool_address);
  const dust = dustOf(market, order);
  const isDone = (filled: OrderRow) => isFilled(open(filled), ...dustOf(market, filled));
  for (let round = 0; order.status === 'processing'; round++) {
    // Neither rested nor closed, it is taken up again.
    if (round === FILLS_PER_ROUND) return;
    const maker = order.channel === 'AMM_POOL' ? undefined : await bestOffer(tx, order, now);
    const crossing = maker && crosses(open(order), open(maker)) ? maker : undefined;
    if (order.order_type === 'MAKER_ONLY' && crossing && !order.resting) {
      await closeOrder(tx, order, 'cancelled', now);
      return;
    }
    if (order.order_type !== 'MAKER_ONLY' && pool) {
      const best = crossing && { sold: crossing.amount_b, bought: crossing.amount_s };
      const fill = fillFromPool(await reservesOf(tx, pool, order), open(order), best);
      if (fill && fill.sold > dust[0]) {
        await settlePoolFill(tx, block, order, pool, fill, isDone, now);
        continue;
      }
    }
    if (!crossing) break;
    // The maker may have cancelled between the look and the lock.
    await lockAccounts(tx, [crossing.account_id]);
    const [held] = await tx.query<OrderRow>(`SELECT * FROM orders WHERE hash = $1 AND status = 'processing'`, [
      crossing.hash,
    ]);
    if (!held) continue;
    const fill = fillAtMakerPrice(open(order), open(held));
    if (fill) {
      await settleBookFill(tx, block, order, held, fill, isDone, now);
      continue;
    }
    // What is left of one of the two is worth less than a unit of the other's token.
    if (isTakerExhausted(order, held)) break;
    await closeOrder(tx, held, 'processed', now);
  }
  if (order.status !== 'processing') return;
  if (order.order_type === 'TAKER_ONLY') await closeOrder(tx, order, 'cancelled', now);
  else if (!order.resting) await tx.query('UPDATE orders SET resting = true WHERE hash = $1', [order.hash]);
}

export function open(order: OrderRow): OpenAmounts {
  return {
    amountS: order.amount_s,
    amountB: order.amount_b,
    filledS: order.filled_s,
    filledB: order.filled_b,
    fillByB: order.fill_by_b,
    locked: order.locked,
  };
}

function dustOf(market: Market, order: OrderRow): [bigint, bigint] {
  const { base, quote } = market;
  return order.token_s === base.tokenId ? [base.dust, quote.dust] : [quote.dust, base.dust];
}

/** No fill was possible: is it the taker who cannot even pay one unit at this price? */
function isTakerExhausted(order: OrderRow, maker: OrderRow): boolean {
  const left = order.fill_by_b ? order.amount_b - order.filled_b : order.amount_s - order.filled_s;
  const needed = order.fill_by_b ? 1n : (maker.amount_b + maker.amount_s - 1n) / maker.amount_s;
  return left < needed || order.locked < needed;
}

/** The best counter order that may meet this one; never one of the same account. */
async function bestOffer(tx: Sql, order: OrderRow, now: number): Promise<OrderRow | undefined> {
  // Side and order stand in the text, so that the index of that side of the book serves.
  const [side, direction] = order.side === 'BUY' ? ['SELL', 'ASC'] : ['BUY', 'DESC'];
  const [row] = await tx.query<OrderRow>(
    `SELECT * FROM orders
     WHERE market = $1 AND side = '${side}' AND status = 'processing' AND resting AND account_id <> $2
       AND channel <> 'AMM_POOL' AND valid_until > $3 AND (taker = '${ZERO_ADDRESS}' OR taker = $4)
       AND ($5 = '${ZERO_ADDRESS}' OR owner = $5)
     ORDER BY price ${direction}, seq LIMIT 1`,
    [order.market, order.account_id, Math.floor(now / 1000), order.owner, order.taker],
  );
  return row;
}

/** The pool's balances as a taker of this order sees them. */
export async function reservesOf(tx: Sql, pool: Pool, order: Pick<OrderRow, 'token_s' | 'token_b'>): Promise<Reserves> {
  const rows = await tx.query<{ token_id: number; total: bigint }>(
    'SELECT token_id, total FROM balances WHERE account_id = $1',
    [pool.accountId],
  );
  const of = (tokenId: number) => rows.find((row) => row.token_id === tokenId)?.total ?? 0n;
  return { sold: of(order.token_s), bought: of(order.token_b) };
}

/**
 * Resting orders that a moved pool reaches now; they are matched again as takers. Less than a thousandth of an order is
 * not worth a transaction, and would never end.
 */
export async function restingOrdersReachedBy(tx: Sql, pool: Pool): Promise<OrderRow[]> {
  const reached: OrderRow[] = [];
  for (const side of ['BUY', 'SELL'] as const) {
    const [row] = await tx.query<OrderRow>(
      `SELECT * FROM orders WHERE pool_address = $1 AND pool_address <> '' AND side = $2 AND status = 'processing'
         AND resting AND order_type = 'LIMIT_ORDER' ORDER BY price ${side === 'BUY' ? 'DESC' : 'ASC'} LIMIT 1`,
      [pool.address.toLowerCase(), side],
    );
    if (!row) continue;
    const fill = fillFromPool(await reservesOf(tx, pool, row), open(row), undefined);
    const dust = pool.tokens.find((token) => token.tokenId === row.token_s)?.dust ?? 0n;
    if (fill && fill.sold > dust && fill.sold * 1000n > row.amount_s) reached.push(row);
  }
  return reached;
}
