import { hadNoEffect } from '../submissions/outcome.ts';
import type { Wallet } from '../wallet.ts';
import { answerFor } from './answerFor.ts';
import { signaturesOf } from './attempts.ts';
import { ended, isOpen } from './store/storedApproval.ts';

type Rooms = Pick<Wallet, 'approvals' | 'journal'>;

/**
 * Ends an approval that was put back to the user when the relayer shows a request that it had
 * refused, whichever of them: nobody needs to be asked for another signature.
 * @returns Whether it ended.
 */
export async function endFound(wallet: Rooms, id: string): Promise<boolean> {
  const { approvals, journal } = wallet;
  const approval = await approvals.get(id);
  if (!approval || !isOpen(approval) || approval.signedBefore === undefined) return false;
  const record = (await signaturesOf(journal, approval)).findLast((one) => !hadNoEffect(one));
  if (!record) return false;
  const done = await approvals.settle(id, (current) =>
    isOpen(current)
      ? { approval: ended(current, 'done', { submissionId: record.id }), answer: answerFor(current, record) }
      : null,
  );
  return done !== null;
}
