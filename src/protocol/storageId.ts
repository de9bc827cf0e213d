import { STORAGE_SLOTS } from './limits.ts';

/** Kind of request that uses an id: orders take even ones, all other requests odd ones. */
export type StorageParity = 'order' | 'offchain';

/** The kind of request that an id belongs to. */
export function storageParity(storageId: number): StorageParity {
  return storageId % 2 === 0 ? 'order' : 'offchain';
}

/**
 * The slot that an id occupies: `id mod 2^14`. Of two ids in one slot the larger cancels the
 * smaller; equal ids alias two orders or make the second request fail.
 */
export function storageSlot(storageId: number): number {
  return storageId % STORAGE_SLOTS;
}
