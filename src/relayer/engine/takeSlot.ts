import type { Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { reserveSlot } from './storageSlots.ts';
import { voidSlotOccupant } from './voidSlotOccupant.ts';

/**
 * Reserves the slot of a storage id for an order or request, and voids whatever a smaller id had
 * there. What holds the very id already keeps it. The caller has locked the account.
 * @throws {Refusal} NONCE_INVALID: the id carries another payload. STORAGE_ID_INVALID: a larger id
 *   holds the slot.
 */
export async function takeSlot(
  tx: Sql,
  accountId: number,
  { tokenId, storageId }: { readonly tokenId: number; readonly storageId: number },
  ref: string,
  now: number,
): Promise<void> {
  const slot = await reserveSlot(tx, accountId, tokenId, storageId, ref);
  if (slot.kind === 'used' && slot.by.ref !== ref)
    throw new Refusal('NONCE_INVALID', `storageId ${storageId} carries another payload`);
  if (slot.kind === 'outdated')
    throw new Refusal('STORAGE_ID_INVALID', `storageId ${storageId} is void: its slot is held by ${slot.by.storageId}`);
  if (slot.kind === 'reserved' && slot.replaced) await voidSlotOccupant(tx, accountId, slot.replaced, now);
}
