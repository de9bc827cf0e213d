import type { Sql } from '../../db/port.ts';
import type { OrderRow } from './orderRow.ts';

/** What the database keeps of an archived order that traded or whose deadline came later. */
export const ARCHIVED_COLUMNS = [
  'hash',
  'account_id',
  'storage_id',
  'valid_until',
  'created_at',
  'token_s',
  'token_b',
  'amount_s',
  'amount_b',
  'filled_s',
  'filled_b',
  'fee',
  'market',
  'side',
  'order_type',
  'channel',
  'status',
  'client_order_id',
  'nft_data',
] as const;

export type ArchivedOrder = Pick<OrderRow, (typeof ARCHIVED_COLUMNS)[number]>;

export async function findArchivedOrder(sql: Sql, hash: string): Promise<ArchivedOrder | undefined> {
  const [row] = await sql.query<ArchivedOrder>('SELECT * FROM archived_orders WHERE hash = $1', [hash.toLowerCase()]);
  return row;
}
