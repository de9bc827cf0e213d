import { closingAnswer, pushAnswers } from './answerPages.ts';
import { isOpen, type StoredApproval } from './approvals.ts';
import type { RpcError } from './rpcError.ts';
import type { Wallet } from './wallet.ts';

/**
 * Closes a question that is still open and stores the answer to its pages.
 * @returns The question as it ended, or `null` when it was not open any more.
 */
export const closeQuestion = (
  wallet: Pick<Wallet, 'approvals' | 'ports'>,
  id: string,
  error: (current: StoredApproval) => RpcError,
): Promise<StoredApproval | null> =>
  wallet.approvals.settle(id, (current) =>
    isOpen(current)
      ? {
          approval: { ...current, stage: 'closed', decidedAt: wallet.ports.now() },
          answer: closingAnswer(current, error(current)),
        }
      : null,
  );

/** Closes the open questions of an origin that `which` picks, and tells its pages why. */
export async function closeQuestionsOf(
  wallet: Wallet,
  origin: string,
  error: RpcError,
  which: (approval: StoredApproval) => boolean = () => true,
): Promise<void> {
  for (const other of await wallet.approvals.open()) {
    if (other.origin !== origin || !which(other)) continue;
    const closed = await closeQuestion(wallet, other.id, () => error);
    if (closed) await pushAnswers(wallet, closed);
  }
}
