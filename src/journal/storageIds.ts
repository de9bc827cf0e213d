import { MAX_UINT32 } from '../protocol/limits.ts';
import { type StorageParity, storageParity } from '../protocol/storageId.ts';
import { JournalError } from './errors.ts';

/**
 * @throws {JournalError} `bad-input`: not a 32-bit number of this kind. A relayer that mixes up the
 *   kinds would make an order share its slot with a transfer.
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

/**
 * Ids by which a relayer's counter may be ahead of the last known one; more than other browsers use
 * up in years.
 */
const MAX_ID_JUMP = 1_000_000;

/**
 * @param accepted - The id that the user was shown and approved.
 * @param most - The farthest that is believed unasked.
 * @throws {JournalError} `id-jump`: a relayer that named the greatest id would leave none for the
 *   token.
 */
export function checkJump(named: number, known: number, accepted: number | undefined, most = MAX_ID_JUMP): void {
  if (named - known <= most || named === accepted) return;
  throw new JournalError(
    'id-jump',
    `the relayer’s next storage id is ${named}, and ${known} is the next one known here`,
    {
      jump: { known, named },
    },
  );
}
