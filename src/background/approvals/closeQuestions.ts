import { type RpcError, unauthorized } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import { mayAsk } from '../sites/mayAsk.ts';
import { type Answerable, closingAnswer, pushAnswers } from './answerPages.ts';
import { type Effects, hasEffect } from './approvalEffect.ts';
import type { Approvals } from './store/approvals.ts';
import { isOpen, type StoredApproval } from './store/storedApproval.ts';

export interface Closable extends Effects {
  readonly approvals: Pick<Approvals, 'get' | 'settle' | 'listed'>;
  readonly signing: ReadonlySet<string>;
  readonly ports: Pick<Ports, 'now'>;
}

/**
 * Closes an approval that is pending, or approved while nothing of it is signed, and stores the answer to its pages.
 * @param which - Whether it still is what the caller means to close.
 * @returns The approval as it ended, or `null` when it was signed or had ended before.
 */
export async function closeQuestion(
  wallet: Closable,
  id: string,
  error: (current: StoredApproval) => RpcError,
  which: (current: StoredApproval) => boolean = () => true,
): Promise<StoredApproval | null> {
  const { approvals, signing, ports } = wallet;
  const before = await approvals.get(id);
  // What a stopped worker did is stored, what this one does is in `signing`; see `claim`.
  const hadNoEffect = before?.stage === 'approved' && !(await hasEffect(wallet, before));
  return approvals.settle(id, (current) =>
    which(current) && (isOpen(current) || (hadNoEffect && current.stage === 'approved' && !signing.has(id)))
      ? {
          approval: { ...current, stage: 'closed', decidedAt: ports.now() },
          answer: closingAnswer(current, error(current)),
        }
      : null,
  );
}

/** Closes the approvals of an origin that `which` picks and of which nothing is signed, and tells its pages why. */
export async function closeQuestionsOf(
  wallet: Closable & Answerable,
  origin: string,
  error: RpcError,
  which: (approval: StoredApproval) => boolean = () => true,
): Promise<void> {
  for (const other of await wallet.approvals.listed()) {
    if (other.origin !== origin || !which(other)) continue;
    const closed = await closeQuestion(wallet, other.id, () => error);
    if (closed) await pushAnswers(wallet, closed);
  }
}

export const takenAway = () => unauthorized('revoked', 'The permission for this request was taken back.');

/** Closes an approval that its site could not ask for any more. @returns Whether it did. */
export async function closeWithoutPermission(
  wallet: Closable & Answerable,
  approval: StoredApproval,
): Promise<boolean> {
  const grants = (await wallet.grants.of(approval.origin))?.grants ?? [];
  if (mayAsk(grants, approval)) return false;
  const closed = await closeQuestion(wallet, approval.id, takenAway);
  if (closed) await pushAnswers(wallet, closed);
  return closed !== null;
}
