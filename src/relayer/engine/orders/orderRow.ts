import type { Hex } from 'viem';
import type { ListedOrderStatus } from '../../../protocol/statuses.ts';
import type { Sql } from '../../db/port.ts';
import { lockAccounts } from '../accounts.ts';
import { release } from '../balances.ts';

/** An order as the database holds it. */
export interface OrderRow {
  /** In the order of acceptance; what finds many rows is several times as fast by it as by hash. */
  readonly seq: number;
  readonly hash: Hex;
  readonly account_id: number;
  readonly owner: Hex;
  readonly storage_id: number;
  readonly token_s: number;
  readonly token_b: number;
  readonly amount_s: bigint;
  readonly amount_b: bigint;
  readonly fill_by_b: boolean;
  /** seconds */
  readonly valid_until: number;
  readonly max_fee_bips: number;
  readonly maker_bips: number;
  readonly taker_bips: number;
  readonly taker: Hex;
  readonly order_type: string;
  readonly channel: string;
  readonly pool_address: string;
  readonly client_order_id: string;
  readonly market: string;
  readonly side: 'BUY' | 'SELL';
  /** Quote for base, scaled by 10^36 and rounded down; orders of a market are compared by it. */
  readonly price: bigint;
  filled_s: bigint;
  filled_b: bigint;
  fee: bigint;
  /** Still frozen of the sold token. */
  locked: bigint;
  status: Exclude<ListedOrderStatus, 'waiting' | 'cancelling'>;
  resting: boolean;
  readonly digest: string;
  /** The NFT that is sold or bought; empty for tokens. */
  readonly nft_data: Hex | '';
  readonly created_at: number;
  readonly updated_at: number;
}

const bookColumns = [
  ...(['seq', 'hash', 'account_id', 'owner', 'token_s', 'token_b', 'amount_s', 'amount_b', 'fill_by_b'] as const),
  ...(['valid_until', 'max_fee_bips', 'taker', 'order_type', 'channel', 'pool_address', 'market', 'side'] as const),
  ...(['price', 'filled_s', 'filled_b', 'locked', 'status', 'resting', 'nft_data'] as const),
];
/** What decides where an order stands in the book and whom it may meet; the columns of that. */
export type BookOrder = Pick<OrderRow, (typeof bookColumns)[number]>;
export const BOOK_ORDER = bookColumns.join(', ');

export async function findOrder(sql: Sql, hash: string): Promise<OrderRow | undefined> {
  const [row] = await sql.query<OrderRow>('SELECT * FROM orders WHERE hash = $1', [hash.toLowerCase()]);
  return row;
}

/** An order with its account locked, unless it has ended. */
export async function lockOpenOrder(
  tx: Sql,
  { seq, account_id }: Pick<OrderRow, 'seq' | 'account_id'>,
): Promise<OrderRow | undefined> {
  await lockAccounts(tx, [account_id]);
  const [order] = await tx.query<OrderRow>(`SELECT * FROM orders WHERE seq = $1 AND status = 'processing'`, [seq]);
  return order;
}

/**
 * Ends an order and frees what it still holds; the engine takes it out of the book. The caller has
 * locked its account.
 */
export async function closeOrder(
  tx: Sql,
  order: Pick<OrderRow, 'hash' | 'account_id' | 'token_s' | 'locked'>,
  status: 'processed' | 'cancelled' | 'expired' | 'failed',
  now: number,
): Promise<void> {
  await release(tx, order.account_id, order.token_s, order.locked);
  await tx.query(
    `WITH closed AS (
       UPDATE orders SET status = $2, locked = 0, updated_at = $3 WHERE hash = $1 RETURNING hash, resting)
     INSERT INTO closed_orders (hash, in_book) SELECT hash, resting FROM closed`,
    [order.hash, status, now],
  );
}

/** Orders that one statement closes or takes out of the book: each ends well within its time. */
export const SLICE = 2_000;

/** Cancels every open order of a locked account; the engine takes them out of their books. */
export async function cancelAllOrders(tx: Sql, accountId: number, now: number): Promise<void> {
  await tx.query(
    `UPDATE balances SET locked = balances.locked - held.amount
     FROM (SELECT token_s, sum(locked) AS amount FROM orders WHERE account_id = $1 AND status = 'processing'
           GROUP BY token_s) AS held
     WHERE balances.account_id = $1 AND balances.token_id = held.token_s`,
    [accountId],
  );
  for (let closed = SLICE; closed === SLICE; )
    ({ length: closed } = await tx.query(
      `WITH closed AS (
         UPDATE orders SET status = 'cancelled', locked = 0, updated_at = $2 WHERE hash IN (
           SELECT hash FROM orders WHERE account_id = $1 AND status = 'processing' LIMIT ${SLICE})
         RETURNING hash, resting)
       INSERT INTO closed_orders (hash, in_book) SELECT hash, resting FROM closed RETURNING hash`,
      [accountId, now],
    ));
}
