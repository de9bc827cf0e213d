import { MAX_UINT32, STORAGE_SLOTS } from '../protocol/limits.ts';
import { type StorageParity, storageSlot } from '../protocol/storageId.ts';
import { type AccountRef, type CursorKey, keys, read } from './database.ts';
import { JournalError } from './errors.ts';
import { placeOf } from './exchange.ts';
import { cursorSchema, cursorVersion, type Slot, slotEntrySchema } from './record.ts';
import { checkJump, checkStorageId } from './storageIds.ts';

export interface SlotRequest {
  /** Token (or NFT slot number) whose storage is used. */
  readonly tokenId: number;
  readonly parity: StorageParity;
  /**
   * The relayer's next id, asked with `maxNext`. A number always counts as a lower bound; a function is called only
   * when there is no cursor yet.
   */
  readonly nextFromRelayer?: number | (() => Promise<number>) | undefined;
  /**
   * An id whose slot is taken over on purpose: the new id is the next unused one of the same slot (`reuse + k · 2^14`),
   * so that the lower one can never be settled after the higher one. Only for replacing and cancelling what the user named.
   */
  readonly reuse?: number | undefined;
  /** A next id far ahead of the last known one that the user approved. */
  readonly accepted?: number | undefined;
  /**
   * Slots of the account's open orders at the relayer. Read at the first use of a cursor and whenever its ids begin another turn
   * around the slots: an id in the slot of an order that this journal does not know would cancel that order.
   */
  readonly openSlots?: (() => Promise<readonly number[]>) | undefined;
}

/**
 * Takes a storage id inside the caller's write transaction. Ids of one cursor only rise, an id is never handed out
 * twice, and a slot with an open submission is passed over unless `reuse` names it: a larger id in an occupied slot
 * cancels what is there.
 */
export async function reserveSlot(
  objects: IDBObjectStore,
  account: AccountRef,
  request: Omit<SlotRequest, 'nextFromRelayer'> & {
    readonly floor: number | undefined;
    /** Just read from the relayer. */
    readonly foreign: readonly number[] | undefined;
  },
  submissionId: string,
): Promise<Slot> {
  const { accountId } = account;
  const exchange = await placeOf(objects, account.networkId);
  const ref: CursorKey = { exchange, accountId, tokenId: request.tokenId, parity: request.parity };
  const entryOf = (id: number) => read(objects, keys.slot(ref, storageSlot(id)), slotEntrySchema());
  const take = async (storageId: number): Promise<Slot> => {
    const open = (await entryOf(storageId))?.open ?? [];
    objects.put(
      { version: 1, highest: storageId, open: [...open, submissionId] },
      keys.slot(ref, storageSlot(storageId)),
    );
    return { tokenId: ref.tokenId, parity: ref.parity, storageId };
  };

  const cursor = await read(objects, keys.cursor(ref), cursorSchema());
  if (request.floor !== undefined) {
    checkStorageId(request.floor, request.parity, 'the relayer’s next storage id');
    checkJump(request.floor, cursor?.next ?? 0, request.accepted);
  }
  const free = Math.max(cursor?.next ?? 0, request.floor ?? 0);

  if (request.reuse !== undefined) {
    checkStorageId(request.reuse, request.parity, 'the storage id to take over');
    const used = Math.max(request.reuse, (await entryOf(request.reuse))?.highest ?? 0);
    const turns = Math.max(
      1,
      Math.ceil((free - request.reuse) / STORAGE_SLOTS),
      (used - request.reuse) / STORAGE_SLOTS + 1,
    );
    const storageId = request.reuse + turns * STORAGE_SLOTS;
    if (storageId > MAX_UINT32) {
      throw new JournalError('ids-exhausted', `slot ${storageSlot(request.reuse)} has no higher 32-bit storage id`);
    }
    return take(storageId);
  }

  if (cursor === undefined && request.floor === undefined) {
    throw new JournalError(
      'cursor-unknown',
      `the next ${request.parity} storage id of token ${ref.tokenId} is unknown`,
    );
  }
  let storageId = free;
  for (let tried = 0; tried <= STORAGE_SLOTS / 2; tried++, storageId += 2) {
    if (storageId > MAX_UINT32) {
      throw new JournalError('ids-exhausted', `token ${ref.tokenId} has no ${request.parity} 32-bit storage id left`);
    }
    const turn = Math.floor(storageId / STORAGE_SLOTS);
    const foreign = request.foreign ?? (cursor?.foreign?.turn === turn ? cursor.foreign.slots : undefined);
    if (!foreign && request.openSlots) throw new JournalError('slots-unread', `turn ${turn} of the slots begins`);
    const entry = await entryOf(storageId);
    if (entry && (entry.open.length > 0 || entry.highest >= storageId)) continue;
    if (foreign?.includes(storageSlot(storageId))) continue;
    objects.put(
      { version: cursorVersion, next: storageId + 2, ...(foreign ? { foreign: { turn, slots: [...foreign] } } : {}) },
      keys.cursor(ref),
    );
    return take(storageId);
  }
  // Some of the foreign orders may be closed by now.
  if (request.openSlots && !request.foreign) throw new JournalError('slots-unread', 'no slot is free');
  throw new JournalError(
    'slots-exhausted',
    `all ${STORAGE_SLOTS / 2} ${request.parity} slots of token ${ref.tokenId} are in use`,
  );
}

const keyOf = async (
  objects: IDBObjectStore,
  { networkId, accountId }: AccountRef,
  { tokenId, parity }: Slot,
): Promise<CursorKey> => ({ exchange: await placeOf(objects, networkId), accountId, tokenId, parity });

/** Bars the slot of a submission that is open again. */
export async function occupySlot(
  objects: IDBObjectStore,
  account: AccountRef,
  slot: Slot,
  submissionId: string,
): Promise<void> {
  const key = keys.slot(await keyOf(objects, account, slot), storageSlot(slot.storageId));
  const entry = await read(objects, key, slotEntrySchema());
  const open = (entry?.open ?? []).filter((id) => id !== submissionId);
  const highest = Math.max(slot.storageId, entry?.highest ?? 0);
  objects.put({ version: 1, highest, open: [...open, submissionId] }, key);
}

/** Gives the slot of a submission that became final free again, inside the caller's write transaction. */
export async function releaseSlot(
  objects: IDBObjectStore,
  account: AccountRef,
  slot: Slot,
  submissionId: string,
): Promise<void> {
  const ref = await keyOf(objects, account, slot);
  const key = keys.slot(ref, storageSlot(slot.storageId));
  const entry = await read(objects, key, slotEntrySchema());
  if (!entry) return;
  const open = entry.open.filter((id) => id !== submissionId);
  const next = (await read(objects, keys.cursor(ref), cursorSchema()))?.next ?? 0;
  // Below the cursor the entry has nothing left to say; above it (an id taken by `reuse`) it still bars that id.
  if (open.length === 0 && entry.highest < next) objects.delete(key);
  else objects.put({ ...entry, open }, key);
}
