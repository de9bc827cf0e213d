import type { Sql } from '../db/port.ts';
import { closeOrder, findOrder } from './orders/orderRow.ts';
import { failRequest, findRequest } from './requestRow.ts';
import type { SlotOccupant } from './storageSlots.ts';

/**
 * A larger storage id took the slot: the order or waiting request that had it can never be settled
 * any more. The caller has locked the account.
 */
export async function voidSlotOccupant(tx: Sql, { ref }: SlotOccupant, now: number): Promise<void> {
  const order = await findOrder(tx, ref);
  if (order?.status === 'processing') await closeOrder(tx, order, 'cancelled', now);
  const request = await findRequest(tx, ref);
  if (request?.status === 'received') await failRequest(tx, request, 'a larger storage id took its slot', now);
}
