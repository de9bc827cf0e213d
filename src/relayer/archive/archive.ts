import { STORAGE_SLOTS } from '../../protocol/limits.ts';
import type { Db, Sql } from '../db/port.ts';
import { ARCHIVED_COLUMNS } from '../engine/orders/archivedOrder.ts';
import type { ArchiveSink } from './archiveFolder.ts';

/** Counts of what a run has moved. */
export interface Archived {
  readonly orders: number;
  readonly fills: number;
  readonly blocks: number;
}

/** In one transaction, which holds no lock that an order or the engine waits for. */
const ORDERS = 500;
const BLOCKS = 20;
/**
 * Transactions after which no further block is taken: the server ends a transaction that waits for
 * five seconds until its rows are written.
 */
const BLOCK_ROWS = 5_000;

/**
 * Orders that ended before `$1` (ms) and whose bytes can never be accepted again, so no decision
 * needs them: their deadline has passed, or their storage slot, which stays, refuses their id. The
 * engine has taken them out of its book.
 */
const ended = (order: string) => `(${order}.status <> 'processing' AND ${order}.updated_at < $1::bigint
  AND (${order}.valid_until < $1::bigint / 1000 OR EXISTS (
    SELECT FROM storage_slots AS held WHERE held.account_id = ${order}.account_id AND held.token_id = ${order}.token_s
      AND held.slot = ${order}.storage_id % ${STORAGE_SLOTS} AND held.storage_id >= ${order}.storage_id))
  AND NOT EXISTS (SELECT 1 FROM closed_orders WHERE hash = ${order}.hash))`;

/**
 * Moves old orders with their fills, and the transactions of old finalized blocks, out of the
 * database, beside relayers that run. Balances, ledger, storage slots, requests and candles stay,
 * and the ends of orders that traded or whose deadline comes later: a wallet that asks for one
 * decides by the answer.
 * Rows are on the disk before they are removed: a run that is ended loses nothing, and the next one
 * writes its last group again.
 * @param before - ms; what ended later stays.
 */
export async function archiveOld(db: Db, before: number, sink: ArchiveSink): Promise<Archived> {
  const moved = { orders: 0, fills: 0, blocks: 0 };
  const move = <T>(group: (tx: Sql) => Promise<T>): Promise<T> => {
    const takeBack = sink.mark();
    return db.transaction((tx) => {
      // The database repeats what stood in the way of another transaction.
      takeBack();
      return group(tx);
    }, 'maintenance');
  };
  for (let after = 0; ; ) {
    const group = await move((tx) => moveOrders(tx, before, after, sink));
    moved.orders += group.orders;
    moved.fills += group.fills;
    if (group.next === undefined) break;
    after = group.next;
  }
  for (;;) {
    const blocks = await move((tx) => moveBlocks(tx, before, sink));
    if (blocks === 0) return moved;
    moved.blocks += blocks;
  }
}

/** Reads the next orders by age; `next` is where to go on. */
async function moveOrders(tx: Sql, before: number, after: number, sink: ArchiveSink) {
  const looked = await tx.query<{ seq: number; hash: string; over: boolean }>(
    `SELECT seq, hash, ${ended('orders')} AS over FROM orders
     WHERE seq > $2 AND created_at < $1::bigint ORDER BY seq LIMIT ${ORDERS}`,
    [before, after],
  );
  const hashes = looked.filter(({ over }) => over).map(({ hash }) => hash);
  const next = looked.length < ORDERS ? undefined : looked.at(-1)?.seq;
  if (hashes.length === 0) return { orders: 0, fills: 0, next };
  // A fill goes when both of its orders have ended; an order when none of its fills is left.
  const fills = await tx.query<{ id: number }>(
    `DELETE FROM fills WHERE id IN (
       SELECT f.id FROM fills f JOIN orders taker ON taker.hash = f.taker_hash LEFT JOIN orders maker ON maker.hash = f.maker_hash
       WHERE (f.taker_hash = ANY($2::text[]) OR f.maker_hash = ANY($2::text[]))
         AND ${ended('taker')} AND (f.maker_hash IS NULL OR ${ended('maker')})) RETURNING *`,
    [before, hashes],
  );
  const orders = await tx.query(
    `WITH moved AS (
       DELETE FROM orders WHERE hash = ANY($1::text[])
         AND NOT EXISTS (SELECT 1 FROM fills WHERE taker_hash = orders.hash OR maker_hash = orders.hash) RETURNING *),
     ends AS (
       INSERT INTO archived_orders (${ARCHIVED_COLUMNS}) SELECT ${ARCHIVED_COLUMNS} FROM moved
         WHERE filled_s + filled_b > 0 OR valid_until >= $2::bigint / 1000)
     SELECT * FROM moved`,
    [hashes, before],
  );
  await note(tx, { before, orders: orders.length, fills, blocks: 0 });
  if (fills.length > 0) sink.write('fills', fills);
  if (orders.length > 0) sink.write('orders', orders);
  return { orders: orders.length, fills: fills.length, next };
}

/**
 * Leaves the newest final block, which is answered where none is named.
 * @returns How many blocks; their numbers, hashes and sizes stay.
 */
async function moveBlocks(tx: Sql, before: number, sink: ArchiveSink): Promise<number> {
  const blocks = await tx.query<{ block_id: number }>(
    // The first condition is checked again behind another run that took the same blocks.
    `UPDATE blocks SET archived_at = $1::bigint WHERE archived_at IS NULL AND block_id IN (
       SELECT block_id FROM (
         SELECT block_id, sum(size) OVER (ORDER BY block_id) - size AS rows_before FROM blocks
         WHERE archived_at IS NULL AND status = 'finalized' AND status_at < $1::bigint AND size > 0
           AND block_id < (SELECT max(block_id) FROM blocks WHERE status = 'finalized')
         ORDER BY block_id LIMIT ${BLOCKS}) AS oldest
       WHERE rows_before < ${BLOCK_ROWS})
     RETURNING block_id, status, size, tx_hash, created_at, status_at, submitted_at, archived_at, operator_id, sealed_at,
       root_before, root_after`,
    [before],
  );
  if (blocks.length === 0) return 0;
  const ids = blocks.map(({ block_id }) => block_id);
  const transactions = await tx.query<{ block_id: number; data: object }>(
    'SELECT block_id, data FROM block_transactions WHERE block_id = ANY($1::bigint[]) ORDER BY block_id, index_in_block',
    [ids],
  );
  await tx.query('DELETE FROM block_transactions WHERE block_id = ANY($1::bigint[])', [ids]);
  await note(tx, { before, orders: 0, fills: [], blocks: blocks.length });
  sink.write(
    'blocks',
    blocks.map((block) => ({
      ...block,
      transactions: transactions.filter(({ block_id }) => block_id === block.block_id).map(({ data }) => data),
    })),
  );
  return blocks.length;
}

async function note(
  tx: Sql,
  moved: { before: number; orders: number; fills: readonly { id: number }[]; blocks: number },
): Promise<void> {
  const lastFill = moved.fills.reduce((last, { id }) => Math.max(last, id), 0);
  await tx.query(
    `INSERT INTO archive_runs (before, orders, fills, last_fill, blocks) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (before) DO UPDATE SET orders = archive_runs.orders + excluded.orders,
       fills = archive_runs.fills + excluded.fills, last_fill = greatest(archive_runs.last_fill, excluded.last_fill),
       blocks = archive_runs.blocks + excluded.blocks`,
    [moved.before, moved.orders, moved.fills.length, lastFill, moved.blocks],
  );
}
