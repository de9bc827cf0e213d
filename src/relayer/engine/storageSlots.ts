import { MAX_UINT32, STORAGE_SLOTS } from '../../protocol/limits.ts';
import type { Sql } from '../db/port.ts';

/** Previous content of a slot. */
export interface SlotOccupant {
  readonly storageId: number;
  /** Hash of the order or request. */
  readonly ref: string;
}

/**
 * The next usable id of one parity.
 * @param maxNext - true: the id after the largest used one; false: the smallest id whose slot was
 *   never used, or, when all were, the smallest that takes a slot over without ending an open order
 *   or a request that waits.
 * @returns `undefined` when the ids are exhausted, or all of that parity hold such a one.
 */
export async function nextStorageId(
  sql: Sql,
  accountId: number,
  tokenId: number,
  parity: 0 | 1,
  maxNext: boolean,
): Promise<number | undefined> {
  const within = 'account_id = $1 AND token_id = $2 AND slot % 2 = $3';
  if (maxNext) {
    const [row] = await sql.query<{ last: number | null }>(
      `SELECT max(storage_id) AS last FROM storage_slots WHERE ${within}`,
      [accountId, tokenId, parity],
    );
    const next = row?.last === null || row === undefined ? parity : row.last + 2;
    return next <= MAX_UINT32 ? next : undefined;
  }
  const [unused] = await sql.query<{ first: number | null; gap: number | null }>(
    `SELECT
       (SELECT slot FROM storage_slots WHERE account_id = $1 AND token_id = $2 AND slot = $3) AS first,
       (SELECT min(slot + 2) FROM (
          SELECT slot, lead(slot) OVER (ORDER BY slot) AS next FROM storage_slots WHERE ${within}) AS used
        WHERE slot + 2 < ${STORAGE_SLOTS} AND next IS DISTINCT FROM slot + 2) AS gap`,
    [accountId, tokenId, parity],
  );
  if (!unused || unused.first === null) return parity;
  if (unused.gap !== null) return unused.gap;
  const [ended] = await sql.query<{ storage_id: number | null }>(
    `SELECT min(storage_id) AS storage_id FROM storage_slots WHERE ${within}
       AND NOT EXISTS (SELECT FROM orders WHERE hash = ref AND status = 'processing')
       AND NOT EXISTS (SELECT FROM requests WHERE hash = ref AND status = 'received')`,
    [accountId, tokenId, parity],
  );
  if (ended?.storage_id == null) return undefined;
  const next = ended.storage_id + STORAGE_SLOTS;
  return next <= MAX_UINT32 ? next : undefined;
}

/**
 * Takes the id of a payment that the relayer makes for an account: the one after its last payment
 * in the token, without a search among all used ones, unless the account has used that one itself
 * or a request of it waits in that slot.
 * The caller has locked the account.
 * @returns `undefined` when the ids are exhausted.
 */
export async function takePaymentId(tx: Sql, accountId: number, tokenId: number): Promise<number | undefined> {
  const setting = `payment_storage_id_${accountId}_${tokenId}`;
  const [next] = await tx.query<{ id: number; held: boolean | null }>(
    `SELECT id, (
       SELECT storage_id >= id OR EXISTS (SELECT FROM requests WHERE hash = ref AND status = 'received')
       FROM storage_slots WHERE account_id = $2 AND token_id = $3 AND slot = id % ${STORAGE_SLOTS}) AS held
     FROM (SELECT value::bigint + 2 AS id FROM settings WHERE key = $1) AS next`,
    [setting, accountId, tokenId],
  );
  const isUsable = next && next.id <= MAX_UINT32 && !next.held;
  const id = isUsable ? next.id : await nextStorageId(tx, accountId, tokenId, 1, false);
  if (id !== undefined)
    await tx.query(
      'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [setting, String(id)],
    );
  return id;
}
