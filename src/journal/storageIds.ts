import { MAX_UINT32 } from '../protocol/limits.ts';
import { type StorageParity, storageParity } from '../protocol/storageId.ts';
import { JournalError } from './errors.ts';

/**
 * @throws {JournalError} `bad-input`: not a 32-bit number of this kind. A relayer that mixes up the kinds would make
 * an order share its slot with a transfer.
 */
export function checkStorageId(storageId: number, parity: StorageParity, what: string): void {
  if (!Number.isInteger(storageId) || storageId < 0 || storageId > MAX_UINT32) {
    throw new JournalError('bad-input', `${what} must be a whole number of at most 32 bits, not ${storageId}`);
  }
  if (storageParity(storageId) !== parity) {
    const kind = parity === 'order' ? 'even, for an order' : 'odd, for an off-chain request';
    throw new JournalError('bad-input', `${what} must be ${kind}, not ${storageId}`);
  }
}
