import { ZERO_ADDRESS } from '../../../protocol/limits.ts';
import type { Sql } from '../../db/port.ts';
import type { Pool } from '../catalog.ts';
import type { Relayer } from '../relayer.ts';
import { reservesOf } from './book.ts';
import { LevelChanges } from './bookLevels.ts';
import { BEST_FIRST, nameKey, openTo, otherSide, PUBLIC, readNamed, type Side } from './bookRows.ts';
import { UNMATCHED } from './dueOrders.ts';
import { isSpent, open } from './matchOrder.ts';
import { BOOK_ORDER, type BookOrder } from './orderRow.ts';
import { fillFromPool, type Reserves } from './poolMath.ts';

/** New orders that are read in one transaction. */
const LOOK = 200;

/**
 * Puts new orders that meet nobody into the book, all in one statement: neither the other side of
 * the book, nor an order that waits before them, nor their pool reaches their price. Most orders
 * are of that kind, and matching them one by one would cost more than accepting them. Whatever
 * might trade is left for `matchOrder`, in its turn.
 *
 * It compares prices alone and so takes too many orders for traders, never too few: an order of the
 * same account or past its deadline counts as one that could be met, and one that names the owner
 * and reaches one of its new orders as one that all of them could meet.
 *
 * No account is locked: the only changes are a mark on open orders and the levels of their books;
 * orders that another transaction has locked are skipped, and nothing else is waited for.
 * @returns Whether any order was put into the book.
 */
export async function restOrders(relayer: Relayer, tx: Sql): Promise<boolean> {
  const due = await tx.query<BookOrder>(
    `SELECT ${BOOK_ORDER} FROM orders WHERE ${UNMATCHED} ORDER BY seq LIMIT ${LOOK}`,
  );
  if (due.length === 0) return false;
  const edges = new Edges(relayer, tx, await readNamed(tx, due));
  const quiet = new Map<number, BookOrder>();
  for (const order of due) {
    const market = relayer.catalog.market(order.market);
    // One that a full transaction of fills has left over.
    const isLeftOver = market !== undefined && isSpent(market, order);
    if (!(await edges.isMetBy(order)) && !isLeftOver) quiet.set(order.seq, order);
  }
  if (quiet.size === 0) return false;
  const rested = await tx.query<{ seq: number }>(
    `UPDATE orders SET resting = true WHERE seq IN (
       SELECT seq FROM orders WHERE seq = ANY($1::bigint[]) AND status = 'processing' FOR UPDATE SKIP LOCKED)
     RETURNING seq`,
    [[...quiet.keys()]],
  );
  const changes = new LevelChanges();
  for (const { seq } of rested) {
    const order = quiet.get(seq) as BookOrder;
    changes.before(order);
    order.resting = true;
  }
  await changes.write(tx, relayer.catalog, relayer.clock.now());
  return rested.length > 0;
}

const publicKey = (market: string, side: Side): string => `${market} ${side}`;

/** The best prices of both sides of each book, with the orders seen so far in it, and the pools. */
class Edges {
  readonly #relayer: Relayer;
  readonly #tx: Sql;
  /** Also of the orders seen so far that name their only taker, by `nameKey`. */
  readonly #best = new Map<string, bigint | undefined>();
  readonly #named: ReadonlySet<string>;
  readonly #reserves = new Map<string, Reserves>();
  /** Pools that an order before will move. */
  readonly #moving = new Set<Pool>();

  constructor(relayer: Relayer, tx: Sql, named: ReadonlySet<string>) {
    this.#relayer = relayer;
    this.#tx = tx;
    this.#named = named;
  }

  /** Whether the order might trade. Either way later orders see it in the book. */
  async isMetBy(order: BookOrder): Promise<boolean> {
    const { market, side } = order;
    const other = otherSide(side);
    const toMe = nameKey(market, other, order.owner);
    const crosses = (price: bigint | undefined) =>
      price !== undefined && (side === 'BUY' ? price <= order.price : price >= order.price);
    const inBook = crosses(await this.#bestOf(market, other)) || this.#named.has(toMe) || crosses(this.#best.get(toMe));
    const pool = order.order_type === 'MAKER_ONLY' ? undefined : this.#relayer.catalog.openPool(order);
    const met =
      order.order_type === 'TAKER_ONLY' ||
      (inBook && order.channel !== 'AMM_POOL') ||
      (pool !== undefined && (await this.#poolMeets(pool, order)));
    if (met && pool) this.#moving.add(pool);
    if (order.channel === 'AMM_POOL') return met;
    const isPublic = order.taker === ZERO_ADDRESS;
    const key = isPublic ? publicKey(market, side) : nameKey(market, side, order.taker);
    const own = isPublic ? await this.#bestOf(market, side) : this.#best.get(key);
    if (own === undefined || (side === 'BUY' ? order.price > own : order.price < own)) this.#best.set(key, order.price);
    return met;
  }

  async #bestOf(market: string, side: Side): Promise<bigint | undefined> {
    const key = publicKey(market, side);
    if (!this.#best.has(key)) {
      const [row] = await this.#tx.query<{ price: bigint }>(
        `SELECT price FROM orders WHERE ${openTo(side, PUBLIC)} AND market = $1 ORDER BY ${BEST_FIRST[side]} LIMIT 1`,
        [market],
      );
      this.#best.set(key, row?.price);
    }
    return this.#best.get(key);
  }

  async #poolMeets(pool: Pool, order: BookOrder): Promise<boolean> {
    if (this.#moving.has(pool)) return true;
    const key = `${pool.address} ${order.token_s}`;
    const reserves = this.#reserves.get(key) ?? (await reservesOf(this.#tx, pool, order));
    this.#reserves.set(key, reserves);
    return fillFromPool(reserves, pool.feeBips, open(order), undefined) !== undefined;
  }
}
