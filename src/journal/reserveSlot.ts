import { promisifyRequest } from 'idb-keyval';
import { MAX_UINT32, STORAGE_SLOTS } from '../protocol/limits.ts';
import { type StorageParity, storageSlot } from '../protocol/storageId.ts';
import type { z } from '../protocol/zod.ts';
import { type AccountRef, type CursorKey, keys, rangeOf, read } from './database.ts';
import { JournalError } from './errors.ts';
import { placeOf } from './exchange.ts';
import {
  cursorSchema,
  cursorVersion,
  type Slot,
  slotEntrySchema,
  slotTokens,
  submissionRecordSchema,
} from './record.ts';
import { checkJump, checkStorageId } from './storageIds.ts';

export interface SlotRequest {
  /** Token (or NFT slot number) whose storage is used. */
  readonly tokenId: number;
  readonly parity: StorageParity;
  /**
   * The relayer's next id, asked with `maxNext`. A number always counts as a lower bound; a
   * function is called only when there is no cursor yet.
   */
  readonly nextFromRelayer?: number | (() => Promise<number>) | undefined;
  /**
   * An id whose slot is taken over on purpose: the new id is the next unused one of the same slot
   * (`reuse + k · 2^14`), so that the lower one can never be settled after the higher one. Only for
   * replacing and cancelling what the user named.
   */
  readonly reuse?: number | undefined;
  /** A next id far ahead of the last known one that the user approved. */
  readonly accepted?: number | undefined;
  /**
   * Slots of the account's open orders at the relayer. Read at the first use of a cursor, and for
   * each id once the ids have gone around the slots: such an id cancels an order with a lower id in
   * its slot, and another browser may place one at any time.
   */
  readonly openSlots?: (() => Promise<readonly number[]>) | undefined;
  /**
   * Another token that has to have the same id free, with its counter at the relayer. Never with
   * `reuse` or `openSlots`.
   */
  readonly also?: { readonly tokenId: number; readonly nextFromRelayer?: SlotRequest['nextFromRelayer'] } | undefined;
}

/**
 * Reads a cursor. One that cannot be read counts as absent, and what this journal has used itself
 * is the least that its next id can be: the relayer is asked, and never believed lower.
 */
export async function readCursor(objects: IDBObjectStore, ref: CursorKey) {
  const stored = await promisifyRequest<unknown>(objects.get(keys.cursor(ref)));
  const cursor = cursorSchema().safeParse(stored).data;
  const isDamaged = cursor === undefined && stored !== undefined;
  return { cursor, isDamaged, next: isDamaged ? await nextOfRecords(objects, ref) : (cursor?.next ?? 0) };
}

async function nextOfRecords(objects: IDBObjectStore, ref: CursorKey): Promise<number> {
  let next = 0;
  for (const stored of await promisifyRequest<unknown[]>(objects.getAll(rangeOf('submission')))) {
    const { slot, accountId, networkId = '' } = submissionRecordSchema().safeParse(stored).data ?? {};
    if (accountId !== ref.accountId || slot?.parity !== ref.parity || !slotTokens(slot).includes(ref.tokenId)) continue;
    if ((await placeOf(objects, networkId)) === ref.exchange) next = Math.max(next, slot.storageId + 2);
  }
  return next;
}

/**
 * Takes a storage id inside the caller's write transaction. Ids of one cursor only rise, an id is
 * never handed out twice, and a slot with an open submission, or one that its site can still use,
 * is passed over unless `reuse` names it: a larger id in an occupied slot cancels what is there.
 */
export async function reserveSlot(
  objects: IDBObjectStore,
  account: AccountRef,
  request: Omit<SlotRequest, 'nextFromRelayer'> & {
    /** The relayer's next ids, in the order of the tokens. */
    readonly floors: readonly (number | undefined)[];
    /** Just read from the relayer. */
    readonly foreign: readonly number[] | undefined;
    /** Milliseconds since 1970. */
    readonly now: number;
  },
  submissionId: string,
): Promise<Slot> {
  const { tokenId, parity, also } = request;
  const refs = await keysOf(objects, account, { tokenId, parity, alsoOf: also?.tokenId });
  const [ref] = refs as [CursorKey];
  const entryOf = (of: CursorKey, id: number) => read(objects, keys.slot(of, storageSlot(id)), slotEntrySchema());
  const isFree = async (of: CursorKey, id: number): Promise<boolean> => {
    const { entry, isDamaged } = await readSlot(objects, of, id);
    return !isDamaged && (!entry || (!isHeld(entry, request.now) && entry.highest < id));
  };
  const take = async (storageId: number): Promise<Slot> => {
    for (const of of refs) {
      const open = (await entryOf(of, storageId))?.open ?? [];
      objects.put(
        { version: 1, highest: storageId, open: [...open, submissionId] },
        keys.slot(of, storageSlot(storageId)),
      );
    }
    return { tokenId, parity, storageId, ...(also ? { alsoOf: also.tokenId } : {}) };
  };

  const cursors = [];
  for (const [index, of] of refs.entries()) {
    const known = await readCursor(objects, of);
    const floor = request.floors[index];
    if (floor !== undefined) {
      checkStorageId(floor, parity, 'the relayer’s next storage id');
      checkJump(floor, known.next, request.accepted);
    } else if (known.isDamaged || (known.cursor === undefined && request.reuse === undefined))
      throw new JournalError('cursor-unknown', `the next ${parity} storage id of token ${of.tokenId} is unknown`);
    cursors.push({ ...known, next: Math.max(known.next, floor ?? 0) });
  }
  const cursor = cursors[0]?.cursor;
  const free = Math.max(...cursors.map(({ next }) => next));

  if (request.reuse !== undefined) {
    checkStorageId(request.reuse, request.parity, 'the storage id to take over');
    const used = Math.max(request.reuse, (await entryOf(ref, request.reuse))?.highest ?? 0);
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

  let storageId = free;
  for (let tried = 0; tried <= STORAGE_SLOTS / 2; tried++, storageId += 2) {
    if (storageId > MAX_UINT32) {
      throw new JournalError('ids-exhausted', `token ${ref.tokenId} has no ${request.parity} 32-bit storage id left`);
    }
    const turn = Math.floor(storageId / STORAGE_SLOTS);
    // No order has a lower id than those of the first turn, so what was read once is enough there.
    const known = turn === 0 && cursor?.foreign?.turn === 0 ? cursor.foreign.slots : undefined;
    const foreign = request.foreign ?? known;
    if (!foreign && request.openSlots) throw new JournalError('slots-unread', `an id of turn ${turn} is to be taken`);
    if ((await Promise.all(refs.map((of) => isFree(of, storageId)))).includes(false)) continue;
    if (foreign?.includes(storageSlot(storageId))) continue;
    for (const of of refs)
      objects.put(
        {
          version: cursorVersion,
          next: storageId + 2,
          ...(foreign && turn === 0 ? { foreign: { turn, slots: [...foreign] } } : {}),
        },
        keys.cursor(of),
      );
    return take(storageId);
  }
  throw new JournalError(
    'slots-exhausted',
    `all ${STORAGE_SLOTS / 2} ${request.parity} slots of token ${ref.tokenId} are in use`,
  );
}

/** Reads what is known of an id's slot. One that cannot be read is never handed out again. */
async function readSlot(objects: IDBObjectStore, ref: CursorKey, id: number) {
  const stored = await promisifyRequest<unknown>(objects.get(keys.slot(ref, storageSlot(id))));
  const entry = slotEntrySchema().safeParse(stored).data;
  return { entry, isDamaged: entry === undefined && stored !== undefined };
}

const isHeld = ({ open, heldUntil = 0 }: z.output<ReturnType<typeof slotEntrySchema>>, now: number): boolean =>
  open.length > 0 || now < heldUntil * 1000;

const keysOf = async (
  objects: IDBObjectStore,
  { networkId, accountId }: AccountRef,
  slot: Omit<Slot, 'storageId'>,
): Promise<readonly CursorKey[]> => {
  const exchange = await placeOf(objects, networkId);
  return slotTokens(slot).map((tokenId) => ({ exchange, accountId, tokenId, parity: slot.parity }));
};

/** Bars the slot of a submission that is open again. */
export async function occupySlot(
  objects: IDBObjectStore,
  account: AccountRef,
  slot: Slot,
  submissionId: string,
): Promise<void> {
  for (const ref of await keysOf(objects, account, slot)) {
    const key = keys.slot(ref, storageSlot(slot.storageId));
    const { entry, isDamaged } = await readSlot(objects, ref, slot.storageId);
    if (isDamaged) continue;
    const open = (entry?.open ?? []).filter((id) => id !== submissionId);
    const highest = Math.max(slot.storageId, entry?.highest ?? 0);
    objects.put({ version: 1, highest, open: [...open, submissionId] }, key);
  }
}

/**
 * Gives the slot of a submission that became final free again, inside the caller's write
 * transaction.
 * @param heldUntil - When it is free, if later than now: seconds since 1970.
 */
export async function releaseSlot(
  objects: IDBObjectStore,
  account: AccountRef,
  slot: Slot,
  submissionId: string,
  heldUntil?: number,
): Promise<void> {
  for (const ref of await keysOf(objects, account, slot)) {
    const key = keys.slot(ref, storageSlot(slot.storageId));
    const { entry } = await readSlot(objects, ref, slot.storageId);
    if (!entry) continue;
    const open = entry.open.filter((id) => id !== submissionId);
    const next =
      cursorSchema().safeParse(await promisifyRequest<unknown>(objects.get(keys.cursor(ref)))).data?.next ?? 0;
    // Below the cursor the entry has nothing left to say; above it (an id taken by `reuse`) it
    // still bars that id.
    if (heldUntil !== undefined) objects.put({ ...entry, open, heldUntil }, key);
    else if (open.length === 0 && entry.highest < next) objects.delete(key);
    else objects.put({ ...entry, open }, key);
  }
}
