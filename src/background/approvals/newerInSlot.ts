import { isFinal, type Journal, type SubmissionRecord, submissionStates } from '../../journal/index.ts';
import { storageSlot } from '../../protocol/index.ts';

const OPEN = submissionStates.filter((state) => !isFinal(state));

/**
 * The newest open request of this wallet above a storage id in the same slot: whatever takes the
 * slot ends it.
 * @param record - A request in the slot, which does not count itself.
 */
export async function newerInSlot(
  { journal }: { readonly journal: Pick<Journal, 'list'> },
  { id, networkId, accountId, slot: of }: SubmissionRecord,
  storageId = of?.storageId ?? 0,
): Promise<SubmissionRecord | undefined> {
  const open = await journal.list({ exchangeOf: networkId, accountId, states: OPEN });
  return open.find(
    ({ id: other, slot }) =>
      other !== id &&
      slot?.tokenId === of?.tokenId &&
      (slot?.storageId ?? 0) > storageId &&
      storageSlot(slot?.storageId ?? 0) === storageSlot(storageId),
  );
}
