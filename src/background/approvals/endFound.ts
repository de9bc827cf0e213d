import type { Journal } from '../../journal/index.ts';
import type { Ports } from '../ports.ts';
import { answerFor } from './answerFor.ts';
import { type Answerable, pushAnswers } from './answerPages.ts';
import { refreshBadge } from './refreshBadge.ts';
import type { Approvals } from './store/approvals.ts';
import { ended, isOpen } from './store/storedApproval.ts';
import { currentRequestId } from './turns.ts';

interface Rooms extends Answerable {
  readonly approvals: Pick<Approvals, 'get' | 'settle' | 'underWay' | 'open'>;
  readonly journal: Pick<Journal, 'byRequest'>;
  readonly ports: Pick<Ports, 'toPage' | 'toUi' | 'setBadge'>;
}

/**
 * Ends an approval that was put back to the user when the relayer shows the request that it had refused: nobody needs to be asked for
 * another signature.
 * @returns Whether it ended.
 */
export async function endFound(wallet: Rooms, id: string): Promise<boolean> {
  const { approvals, journal, ports } = wallet;
  const approval = await approvals.get(id);
  if (!approval || !isOpen(approval) || approval.signedBefore === undefined) return false;
  const record = await journal.byRequest(approval.origin, await currentRequestId(journal, approval));
  if (!record?.wire || record.state === 'refused' || record.state === 'abandoned') return false;
  const done = await approvals.settle(id, (current) =>
    isOpen(current)
      ? { approval: ended(current, 'done', { submissionId: record.id }), answer: answerFor(current, record) }
      : null,
  );
  if (!done) return false;
  await pushAnswers(wallet, done);
  await refreshBadge(wallet);
  ports.toUi();
  return true;
}

/** What a worker that stopped had left open, although its request was found. */
export async function endAllFound(wallet: Rooms): Promise<void> {
  for (const { id } of await wallet.approvals.underWay()) await endFound(wallet, id);
}
