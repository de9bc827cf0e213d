import { ZERO_ADDRESS } from '../../../protocol/limits.ts';
import { columns, type Sql } from '../../db/port.ts';
import type { Catalog, Market } from '../catalog.ts';
import { ceilDiv } from './fillMath.ts';
import { BOOK_ORDER, type BookOrder, type OrderRow, SLICE } from './orderRow.ts';

/** Part of an order in the level of its price. */
interface Contribution {
  /** Of the base token. */
  readonly size: bigint;
  /** Of the quote token. */
  readonly volume: bigint;
  readonly orders: number;
}

const NOTHING: Contribution = { size: 0n, volume: 0n, orders: 0 };

/**
 * Computes the public part of an order: what is left of it at its own price. Orders that only a
 * pool or one named taker may fill are not in the public book, nor are NFT orders, which nobody
 * matches.
 */
function contributionOf(order: BookOrder): Contribution {
  if (!order.resting || order.status !== 'processing') return NOTHING;
  return openPart(order);
}

function openPart(order: BookOrder): Contribution {
  if (order.channel === 'AMM_POOL' || order.taker !== ZERO_ADDRESS || order.nft_data !== '') return NOTHING;
  const { amount_s, amount_b, filled_s, filled_b } = order;
  const unsold = amount_s - filled_s;
  const unbought = amount_b - filled_b;
  const paid = (unbought * amount_s) / amount_b;
  const [sold, bought] = order.fill_by_b
    ? [paid < unsold ? paid : unsold, unbought]
    : [unsold, (unsold * amount_b) / amount_s];
  return order.side === 'SELL' ? { size: sold, volume: bought, orders: 1 } : { size: bought, volume: sold, orders: 1 };
}

/** The price of amounts in the finest steps of a market: rounded down for bids and up for asks. */
export function tickOf(
  { base, quote }: Market,
  precisionForPrice: number,
  side: OrderRow['side'],
  baseAmount: bigint,
  quoteAmount: bigint,
): bigint {
  const numerator = quoteAmount * 10n ** BigInt(base.decimals + precisionForPrice);
  const denominator = baseAmount * 10n ** BigInt(quote.decimals);
  return side === 'BUY' ? numerator / denominator : ceilDiv(numerator, denominator);
}

/**
 * The levels of aggregation that are kept: a read of one between them adds up at most ten rows for
 * a price.
 */
const KEPT_LEVELS = [0, 2, 4] as const;

/** The level whose rows a read of `level` adds up. */
export const keptLevel = (level: number): number => level - (level % 2);

/** A price in steps of a level, counted in the finest: rounded down for bids and up for asks. */
export const inSteps = (side: OrderRow['side'], tick: bigint, step: bigint): bigint =>
  (side === 'BUY' ? tick / step : ceilDiv(tick, step)) * step;

interface LevelRow extends Contribution {
  readonly market: string;
  readonly side: OrderRow['side'];
  readonly level: number;
  readonly tick: bigint;
}

interface Change {
  readonly order: BookOrder;
  readonly before: Contribution;
}

/** Collects what a transaction of the engine does to the public books, and writes it at its end. */
export class LevelChanges {
  readonly #changes = new Map<BookOrder, Change>();

  /** Called before an order changes for the first time. */
  before(order: BookOrder): void {
    if (!this.#changes.has(order)) this.#changes.set(order, { order, before: contributionOf(order) });
  }

  /** An order that was closed elsewhere while it was in the book. */
  gone(order: BookOrder): void {
    this.#changes.set(order, { order, before: openPart(order) });
  }

  /** Writes into books that count in the steps of this catalog. */
  async write(tx: Sql, catalog: Catalog, now: number): Promise<void> {
    const changed = [...this.#changes.values()].flatMap(({ order, before }) => {
      const after = contributionOf(order);
      const size = after.size - before.size;
      const volume = after.volume - before.volume;
      const orders = after.orders - before.orders;
      return size === 0n && volume === 0n && orders === 0 ? [] : [{ order, size, volume, orders }];
    });
    if (changed.length === 0) return;
    const rows = new Map<string, LevelRow>();
    for (const { order, size, volume, orders } of changed) {
      const { market, side, amount_s, amount_b } = order;
      const listed = catalog.market(market);
      if (!listed) throw new Error(`market ${market} of an open order is gone`);
      const [base, quote] = side === 'SELL' ? [amount_s, amount_b] : [amount_b, amount_s];
      const finest = tickOf(listed, listed.precisionForPrice, side, base, quote);
      for (const level of KEPT_LEVELS) {
        // A bid below the finest step is in no public book.
        if (level > 0 && finest === 0n) continue;
        const tick = inSteps(side, finest, 10n ** BigInt(level));
        const key = `${market} ${side} ${level} ${tick}`;
        const before = rows.get(key) ?? NOTHING;
        rows.set(key, {
          ...{ market, side, level, tick },
          ...{ size: before.size + size, volume: before.volume + volume, orders: before.orders + orders },
        });
      }
    }
    await writeRows(tx, [...rows.values()], now);
  }
}

const ADDED = `size = held.size + excluded.size, volume = held.volume + excluded.volume,
  orders = held.orders + excluded.orders`;

async function writeRows(tx: Sql, rows: readonly LevelRow[], now: number): Promise<void> {
  await tx.query(
    `WITH change AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::smallint[], $4::numeric[], $5::numeric[], $6::numeric[], $7::bigint[])
         AS change (market, side, level, tick, size, volume, orders)),
     book AS (
       UPDATE books SET version = version + 1, changed_at = $8::bigint, mix_version = mix_version + 1, mix_changed_at = $8::bigint
       WHERE market IN (SELECT market FROM change) RETURNING market),
     finest AS (
       INSERT INTO book_levels AS held (market, side, tick, size, volume, orders)
       SELECT market, side, tick, size, volume, orders FROM change JOIN book USING (market) WHERE level = 0
       ON CONFLICT (market, side, tick) DO UPDATE SET ${ADDED})
     INSERT INTO coarse_levels AS held (market, side, level, tick, size, volume, orders)
     SELECT market, side, level, tick, size, volume, orders FROM change JOIN book USING (market) WHERE level > 0
     ON CONFLICT (market, side, level, tick) DO UPDATE SET ${ADDED}`,
    [...columns(rows, ['market', 'side', 'level', 'tick', 'size', 'volume', 'orders']), now],
  );
  // A statement of its own: the one before does not see the rows that it writes.
  const less = rows.filter(({ orders }) => orders < 0);
  if (less.length === 0) return;
  await tx.query(
    `WITH left_over AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::smallint[], $4::numeric[]) AS left_over (market, side, level, tick)),
     finest AS (
       DELETE FROM book_levels AS held USING left_over WHERE held.market = left_over.market AND held.side = left_over.side
         AND left_over.level = 0 AND held.tick = left_over.tick AND orders = 0)
     DELETE FROM coarse_levels AS held USING left_over WHERE held.market = left_over.market AND held.side = left_over.side
       AND held.level = left_over.level AND held.tick = left_over.tick AND orders = 0`,
    columns(less, ['market', 'side', 'level', 'tick']),
  );
}

/**
 * Makes the books of markets that have none or count in other steps than the market does now, from
 * all open orders. One statement, so that an order which is closed meanwhile is either counted or
 * not in `closed_orders` as one of the book.
 */
export async function buildBooks(tx: Sql, markets: readonly Market[], now: number): Promise<void> {
  const built = new Map(
    (
      await tx.query<{ market: string; precision_for_price: number }>('SELECT market, precision_for_price FROM books')
    ).map((row) => [row.market, row.precision_for_price]),
  );
  for (const { market, base, quote, precisionForPrice } of markets) {
    if (built.get(market) === precisionForPrice) continue;
    const shift = base.decimals + precisionForPrice - quote.decimals;
    const [up, down] = shift < 0 ? [0, -shift] : [shift, 0];
    await tx.query(
      `INSERT INTO books (market, precision_for_price, version, changed_at, mix_version, mix_changed_at)
       VALUES ($1, $2, 1, $3, 1, $3)
       ON CONFLICT (market) DO UPDATE SET precision_for_price = excluded.precision_for_price, version = books.version + 1,
         changed_at = $3, mix_version = books.mix_version + 1, mix_changed_at = $3`,
      [market, precisionForPrice, now],
    );
    for (const table of ['book_levels', 'coarse_levels'])
      await tx.query(`DELETE FROM ${table} WHERE market = $1`, [market]);
    await tx.query(
      `WITH left_out AS (
         UPDATE closed_orders SET in_book = false WHERE in_book
           AND hash IN (SELECT hash FROM orders WHERE market = $1 AND status <> 'processing')),
       open AS (
         SELECT *, CASE WHEN fill_by_b THEN least(amount_s - filled_s, div((amount_b - filled_b) * amount_s, amount_b))
             ELSE amount_s - filled_s END AS sold,
           CASE WHEN fill_by_b THEN amount_b - filled_b ELSE div((amount_s - filled_s) * amount_b, amount_s) END AS bought,
           CASE side WHEN 'SELL' THEN amount_b ELSE amount_s END * 1${'0'.repeat(up)} AS numerator,
           CASE side WHEN 'SELL' THEN amount_s ELSE amount_b END * 1${'0'.repeat(down)} AS denominator
         FROM orders WHERE market = $1 AND status = 'processing' AND resting
           AND channel <> 'AMM_POOL' AND taker = '${ZERO_ADDRESS}'),
       finest AS (
         SELECT side, CASE side WHEN 'SELL' THEN div(numerator + denominator - 1, denominator) ELSE div(numerator, denominator) END AS tick,
           CASE side WHEN 'SELL' THEN sold ELSE bought END AS size, CASE side WHEN 'SELL' THEN bought ELSE sold END AS volume
         FROM open),
       fine_rows AS (
         INSERT INTO book_levels (market, side, tick, size, volume, orders)
         SELECT $1, side, tick, sum(size), sum(volume), count(*) FROM finest GROUP BY 2, 3)
       INSERT INTO coarse_levels (market, side, level, tick, size, volume, orders)
       SELECT $1, side, level, CASE side WHEN 'SELL' THEN div(tick + step - 1, step) ELSE div(tick, step) END * step,
         sum(size), sum(volume), count(*)
       FROM finest, unnest($2::smallint[], $3::numeric[]) AS kept (level, step)
       WHERE level > 0 AND (side = 'SELL' OR tick > 0) GROUP BY 2, 3, 4`,
      [market, KEPT_LEVELS, KEPT_LEVELS.map((level) => 10n ** BigInt(level))],
    );
  }
}

/** Takes orders that were closed outside of the engine out of the book, a slice at a time. */
export async function takeOutClosed(tx: Sql, catalog: Catalog, now: number): Promise<boolean> {
  const closed = await tx.query<{ hash: string; in_book: boolean }>(
    `DELETE FROM closed_orders WHERE hash IN (SELECT hash FROM closed_orders LIMIT ${SLICE}) RETURNING hash, in_book`,
  );
  if (closed.length === 0) return false;
  const rows = await tx.query<BookOrder>(`SELECT ${BOOK_ORDER} FROM orders WHERE hash = ANY($1::text[])`, [
    closed.filter(({ in_book }) => in_book).map(({ hash }) => hash),
  ]);
  const changes = new LevelChanges();
  for (const order of rows) changes.gone(order);
  await changes.write(tx, catalog, now);
  return true;
}

/** Counts a new version of the merged books of these markets, in which nothing else counts it. */
export async function changeMixed(tx: Sql, markets: readonly string[], now: number): Promise<void> {
  await tx.query('UPDATE books SET mix_version = mix_version + 1, mix_changed_at = $2 WHERE market = ANY($1::text[])', [
    markets,
    now,
  ]);
}

/**
 * Counts a new version of each market whose pool offers other amounts than before, whatever changed
 * them; a closed pool offers none.
 */
export async function followPools(tx: Sql, { markets, poolOf }: Catalog, now: number): Promise<void> {
  const pooled = markets.flatMap(({ market, base: { tokenId: base }, quote: { tokenId: quote } }) => {
    const pool = poolOf(base, quote);
    return pool ? [{ market, accountId: pool.enabled ? pool.accountId : null, base, quote }] : [];
  });
  if (pooled.length === 0) return;
  await tx.query(
    `UPDATE books SET mix_version = mix_version + 1, mix_changed_at = $5, pool_base = now.base, pool_quote = now.quote
     FROM (SELECT market,
         coalesce((SELECT total FROM balances WHERE account_id = pool.account_id AND token_id = base_id), 0) AS base,
         coalesce((SELECT total FROM balances WHERE account_id = pool.account_id AND token_id = quote_id), 0) AS quote
       FROM unnest($1::text[], $2::bigint[], $3::int[], $4::int[]) AS pool (market, account_id, base_id, quote_id)) AS now
     WHERE books.market = now.market AND (pool_base, pool_quote) IS DISTINCT FROM (now.base, now.quote)`,
    [...columns(pooled, ['market', 'accountId', 'base', 'quote']), now],
  );
}
