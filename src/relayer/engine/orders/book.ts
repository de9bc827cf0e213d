import { ZERO_ADDRESS } from '../../../protocol/limits.ts';
import type { Sql } from '../../db/port.ts';
import { lockAccounts } from '../accounts.ts';
import type { Pool } from '../catalog.ts';
import { readPool } from '../pools/poolState.ts';
import type { Relayer } from '../relayer.ts';
import {
  BEST_FIRST,
  BY_RANK,
  nameKey,
  onlyFor,
  openTo,
  otherSide,
  PUBLIC,
  REACHED,
  reachedRank,
  readNamed,
  type Side,
  validAt,
} from './bookRows.ts';
import type { Fill } from './fillMath.ts';
import { type BookOrder, lockOpenOrder, type OrderRow } from './orderRow.ts';
import type { Reserves } from './poolMath.ts';

/**
 * The most rows of a side that are read at once; a taker that reaches deeper asks for single ones.
 */
const DEPTH = 120;
/**
 * Rows that a taker looks through for one more: behind so many that it cannot take, most of them
 * its own, it finds none. One transaction fills fewer.
 */
const REACH = 1_000;

interface BookSide {
  /** Best first. */
  readonly orders: OrderRow[];
  /** The worst row that was read; `undefined` when the side was read to its end. */
  readonly last: OrderRow | undefined;
}

/** What the orders that are due could take from one side of a book. */
interface Wanted {
  readonly market: string;
  readonly side: Side;
  /** The worst that one of them accepts. */
  price: bigint;
  /** All that they give for it. */
  amount: bigint;
}

/** A row of a side; `crossing` is how many there are that somebody accepts, `DEPTH` at most. */
interface ReadOrder extends Pick<OrderRow, 'seq' | 'account_id'> {
  readonly crossing: number;
}

/** True when `a` comes before `b` on their side: by price, then by age. */
function isBefore(a: OrderRow, b: OrderRow): boolean {
  if (a.price !== b.price) return a.side === 'SELL' ? a.price < b.price : a.price > b.price;
  return a.seq < b.seq;
}

/**
 * Whether orders that name its owner count. They are in no public book, so they would end orders
 * that take nothing as often as those come.
 */
const meetsNamed = (order: OrderRow): boolean => order.order_type !== 'MAKER_ONLY';

/**
 * Orders that one transaction of the engine matches in memory: the orders that are due, the best of
 * the other side of their books, and their pools. All accounts in it are locked, its rows were read
 * after that, and only the engine adds to a book, so that nothing in it can change but by this
 * transaction.
 */
export class Book {
  readonly relayer: Relayer;
  readonly #tx: Sql;
  /** seconds */
  readonly #now: number;
  /** By `seq`. */
  readonly #rows = new Map<number, OrderRow>();
  readonly #sides = new Map<string, BookSide>();
  readonly #named: ReadonlySet<string>;
  readonly #reserves = new Map<Pool, Map<number, bigint>>();
  /**
   * In their turn; those that were closed meanwhile are missing, and those past their time, which
   * expire next.
   */
  readonly due: readonly OrderRow[];

  private constructor(
    relayer: Relayer,
    tx: Sql,
    now: number,
    due: readonly number[],
    rows: readonly OrderRow[],
    named: ReadonlySet<string>,
  ) {
    this.relayer = relayer;
    this.#tx = tx;
    this.#now = now;
    this.#named = named;
    for (const row of rows) this.#rows.set(row.seq, row);
    this.due = due.flatMap((seq) => this.#rows.get(seq) ?? []).filter((order) => order.valid_until > now);
  }

  /** @param now - Seconds: the time of the block in which they are filled. */
  static async load(relayer: Relayer, tx: Sql, due: readonly BookOrder[], now: number): Promise<Book> {
    const wanted = new Map<string, Wanted>();
    for (const { market, side, channel, price, amount_s, filled_s } of due)
      if (channel !== 'AMM_POOL') {
        const other = otherSide(side);
        const so = wanted.get(`${market} ${other}`) ?? { market, side: other, price, amount: 0n };
        if (side === 'BUY' ? price > so.price : price < so.price) so.price = price;
        so.amount += amount_s - filled_s;
        wanted.set(`${market} ${other}`, so);
      }
    const read = new Map<string, readonly ReadOrder[]>();
    for (const [key, { market, side, price, amount }] of wanted)
      read.set(
        key,
        await tx.query<ReadOrder>(
          `SELECT seq, account_id, crossing FROM (
             SELECT account_id, price, seq, count(*) OVER () AS crossing,
               sum(takes) OVER (ORDER BY ${BEST_FIRST[side]} ROWS UNBOUNDED PRECEDING) - takes AS ahead
             FROM (
               SELECT account_id, price, seq, CASE WHEN fill_by_b THEN amount_b - filled_b
                 ELSE div((amount_s - filled_s) * amount_b, amount_s) END AS takes FROM orders
               WHERE ${openTo(side, PUBLIC)} AND market = $1 AND ${validAt('$2')} AND ${REACHED[side]} $3
               ORDER BY ${BEST_FIRST[side]} LIMIT ${DEPTH}) AS best) AS summed
           WHERE ahead < $4 ORDER BY ${BEST_FIRST[side]}`,
          [market, now, price, amount],
        ),
      );
    const all = [...due, ...[...read.values()].flat()];
    await lockAccounts(
      tx,
      all.map(({ account_id }) => account_id),
    );
    const rows = await tx.query<OrderRow>(
      `SELECT * FROM orders WHERE seq = ANY($1::bigint[]) AND status = 'processing'`,
      [[...new Set(all.map(({ seq }) => seq))]],
    );
    const book = new Book(
      relayer,
      tx,
      now,
      due.map(({ seq }) => seq),
      rows,
      await readNamed(tx, due),
    );
    for (const [key, list] of read) {
      const orders = list.flatMap(({ seq }) => book.#rows.get(seq) ?? []);
      const isWhole = list.length < DEPTH && list.length === (list[0]?.crossing ?? 0);
      // Were all that was read cancelled meanwhile, the depth would be unknown; then nothing counts
      // as read.
      book.#sides.set(key, { orders, last: isWhole ? undefined : (orders.at(-1) ?? NOTHING_READ) });
    }
    for (const order of book.due) if (order.resting) book.add(order);
    return book;
  }

  /**
   * The best counter order that may meet this one, but none of `passed`; never one of the same
   * account.
   */
  async bestFor(order: OrderRow, passed: ReadonlySet<OrderRow>): Promise<OrderRow | undefined> {
    const other = otherSide(order.side);
    const side = this.#sides.get(`${order.market} ${other}`);
    if (!side) throw new Error(`the ${other} side of ${order.market} was not read`);
    for (let index = 0; index < side.orders.length; index++)
      if (side.orders[index]?.status !== 'processing') side.orders.splice(index--, 1);
    const found = side.orders.find((maker) => !passed.has(maker) && this.#mayMeet(order, maker));
    const { last } = side;
    const isBest = !last || (found && last !== NOTHING_READ && !isBefore(last, found));
    if (isBest && !(meetsNamed(order) && this.#named.has(nameKey(order.market, other, order.owner)))) return found;
    const deeper = await this.#readDeeper(order, other);
    if (deeper) this.add(deeper);
    return deeper && (!found || isBefore(deeper, found)) ? deeper : found;
  }

  #mayMeet(order: OrderRow, maker: OrderRow): boolean {
    return (
      maker.account_id !== order.account_id &&
      maker.channel !== 'AMM_POOL' &&
      maker.valid_until > this.#now &&
      (maker.taker === ZERO_ADDRESS || (maker.taker === order.owner && meetsNamed(order))) &&
      (order.taker === ZERO_ADDRESS || maker.owner === order.taker)
    );
  }

  /** The best one that is not in memory yet. */
  async #readDeeper(order: OrderRow, side: Side): Promise<OrderRow | undefined> {
    const ofNamed = 'account_id = (SELECT account_id FROM accounts WHERE owner = $7)';
    const byPrice = { reached: `${REACHED[side]} $5`, sorted: BEST_FIRST[side] };
    const byRank = { reached: reachedRank(side, '$5'), sorted: BY_RANK };
    const toMe = `${onlyFor('$4')} AND ${meetsNamed(order)}`;
    const [places, names] =
      order.taker === ZERO_ADDRESS
        ? [
            [
              { to: PUBLIC, ...byPrice },
              { to: toMe, ...byRank },
            ],
            [],
          ]
        : [[PUBLIC, toMe].map((to) => ({ to: `${to} AND ${ofNamed}`, ...byRank })), [order.taker]];
    const nearest = places.map(
      ({ to, reached, sorted }) => `(
       SELECT price, seq, account_id FROM (
         SELECT price, seq, account_id FROM orders
         WHERE ${openTo(side, to)} AND market = $1 AND ${validAt('$3')} AND ${reached}
           AND seq <> ALL($6::bigint[])
         ORDER BY ${sorted} LIMIT ${REACH + 1}) AS near
       WHERE account_id <> $2 ORDER BY ${BEST_FIRST[side]} LIMIT 1)`,
    );
    for (;;) {
      const [row] = await this.#tx.query<Pick<OrderRow, 'seq' | 'account_id'>>(
        `SELECT seq, account_id FROM (${nearest.join(' UNION ALL ')}) AS best ORDER BY ${BEST_FIRST[side]} LIMIT 1`,
        [order.market, order.account_id, this.#now, order.owner, order.price, [...this.#rows.keys()], ...names],
      );
      if (!row) return undefined;
      const held = await lockOpenOrder(this.#tx, row);
      // It may have been cancelled between the look and the lock.
      if (!held) continue;
      this.#rows.set(held.seq, held);
      return held;
    }
  }

  /** Puts an order into its side of the book, where later takers of this transaction see it. */
  add(order: OrderRow): void {
    const side = this.#sides.get(`${order.market} ${order.side}`);
    if (!side || side.orders.includes(order)) return;
    const at = side.orders.findIndex((other) => isBefore(order, other));
    side.orders.splice(at < 0 ? side.orders.length : at, 0, order);
  }

  /** The pool's balances as a taker of this order sees them. */
  async reserves(pool: Pool, order: OrderRow): Promise<Reserves> {
    const known = this.#reserves.get(pool) ?? (await readReserves(this.#tx, pool));
    this.#reserves.set(pool, known);
    return seenBy(order, known);
  }

  /** After a fill: the pool took `sold` and gave `bought`. */
  movePool(pool: Pool, { token_s, token_b }: OrderRow, { sold, bought }: Fill): void {
    const known = this.#reserves.get(pool);
    known?.set(token_s, (known.get(token_s) ?? 0n) + sold);
    known?.set(token_b, (known.get(token_b) ?? 0n) - bought);
  }
}

const NOTHING_READ = {} as OrderRow;

async function readReserves(tx: Sql, pool: Pool): Promise<Map<number, bigint>> {
  const { reserves } = await readPool(tx, pool);
  return new Map(pool.tokens.map(({ tokenId }, index) => [tokenId, reserves[index] ?? 0n]));
}

type Tokens = Pick<OrderRow, 'token_s' | 'token_b'>;

const seenBy = ({ token_s, token_b }: Tokens, known: ReadonlyMap<number, bigint>): Reserves => ({
  sold: known.get(token_s) ?? 0n,
  bought: known.get(token_b) ?? 0n,
});

/** The pool's balances outside of a book. */
export const reservesOf = async (tx: Sql, pool: Pool, order: Tokens): Promise<Reserves> =>
  seenBy(order, await readReserves(tx, pool));
