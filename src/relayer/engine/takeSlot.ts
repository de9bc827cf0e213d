import { STORAGE_SLOTS } from '../../protocol/limits.ts';
import type { Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { balanceInsufficient } from './balances.ts';
import type { SlotOccupant } from './storageSlots.ts';
import { voidSlotOccupant } from './voidSlotOccupant.ts';

/**
 * Takes the slot of a storage id (`id mod 2^14`, per account and token) for an order or request,
 * and voids whatever a smaller id had there. The caller has locked the account, and found no row of
 * this order or request.
 * @throws {Refusal} NONCE_INVALID: the id was used, perhaps by this very payload, which is
 *   archived. STORAGE_ID_INVALID: a larger id holds the slot.
 */
export async function takeSlot(
  tx: Sql,
  accountId: number,
  { tokenId, storageId }: { readonly tokenId: number; readonly storageId: number },
  ref: string,
  now: number,
): Promise<void> {
  const slot = storageId % STORAGE_SLOTS;
  // The last part reads what was there before: it does not see what the first one writes.
  const [held] = await tx.query<SlotOccupant>(
    `WITH taken AS (
       INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, token_id, slot) DO UPDATE SET storage_id = excluded.storage_id, ref = excluded.ref
       WHERE storage_slots.storage_id < excluded.storage_id)
     SELECT storage_id AS "storageId", ref FROM storage_slots WHERE account_id = $1 AND token_id = $2 AND slot = $3`,
    [accountId, tokenId, slot, storageId, ref],
  );
  if (!held) return;
  checkOccupant(held, storageId);
  await voidSlotOccupant(tx, held, now);
}

function checkOccupant(held: SlotOccupant, storageId: number): void {
  if (held.storageId === storageId) throw new Refusal('NONCE_INVALID', `storageId ${storageId} is used already`);
  if (held.storageId > storageId)
    throw new Refusal('STORAGE_ID_INVALID', `storageId ${storageId} is void: its slot is held by ${held.storageId}`);
}

/**
 * Reads slot and balance of what is settled at once: under the engine's lock, what cannot be
 * accepted would keep the engine waiting, as often as it is sent. Only `takeSlot` and `freeze`
 * decide.
 * @throws {Refusal} as these two would. A smaller id in the slot frees what it holds, so the whole
 *   balance counts then.
 */
export async function checkMeans(
  sql: Sql,
  accountId: number,
  { tokenId, storageId }: { readonly tokenId: number; readonly storageId: number },
  ref: string,
  hold: bigint,
): Promise<void> {
  const [row] = await sql.query<{ storageId: number | null; ref: string | null; total: bigint; free: bigint }>(
    `SELECT storage_id AS "storageId", ref, COALESCE(total, 0) AS total, COALESCE(total - locked, 0) AS free
     FROM (SELECT $1::bigint AS account_id, $2::int AS token_id, $3::int AS slot) AS wanted
     LEFT JOIN storage_slots USING (account_id, token_id, slot) LEFT JOIN balances USING (account_id, token_id)`,
    [accountId, tokenId, storageId % STORAGE_SLOTS],
  );
  if (!row || row.ref === ref) return;
  const held = row.storageId !== null && row.ref !== null ? { storageId: row.storageId, ref: row.ref } : undefined;
  if (held) checkOccupant(held, storageId);
  if ((held ? row.total : row.free) < hold) throw balanceInsufficient(tokenId, hold);
}
