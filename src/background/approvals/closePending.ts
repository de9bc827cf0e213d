import { type RpcError, unauthorized } from '../errors/rpcError.ts';
import { mayAsk } from '../sites/mayAsk.ts';
import type { Wallet } from '../wallet.ts';
import { closingAnswer } from './answerFor.ts';
import { refusedCopies } from './attempts.ts';
import { type Approved, isOpen, isRequest, type StoredApproval } from './store/storedApproval.ts';

type Closable = Pick<Wallet, 'approvals' | 'journal' | 'signing' | 'ports' | 'hasEffect'>;

/**
 * Closes an approval that is pending, or approved while nothing of it is signed, and stores the
 * answer to its pages.
 * @param which - Whether it still is what the caller means to close.
 * @returns The approval as it ended, or `null` when it was signed or had ended before.
 */
export async function closeApproval(
  wallet: Closable,
  id: string,
  error: (current: StoredApproval) => RpcError,
  which: (current: StoredApproval) => boolean = () => true,
  how: Pick<StoredApproval, 'withdrawn'> = {},
): Promise<StoredApproval | null> {
  const { approvals, signing, ports } = wallet;
  const before = await approvals.get(id);
  // What a stopped worker did is stored, what this one does is in `signing`; see `claim`.
  const hadNoEffect = before?.stage === 'approved' && !(await wallet.hasEffect(before));
  const refused = hadNoEffect && isRequest(before) ? await refusedCopies(wallet.journal, before) : {};
  return approvals.settle(id, (current) => {
    const isFree = isOpen(current) || (hadNoEffect && current.stage === 'approved' && !signing.has(id));
    if (!isFree || !which(current)) return null;
    const { signedBefore = current.signedBefore } = refused;
    const known = signedBefore && isRequest(current) ? { ...current, signedBefore } : current;
    return {
      approval: { ...known, ...how, stage: 'closed', decidedAt: ports.now() },
      answer: closingAnswer(known, error(current)),
    };
  });
}

/**
 * Closes the approvals of an origin that `which` picks and of which nothing is signed; its pages
 * hear why.
 */
export async function closeApprovalsOf(
  wallet: Closable,
  origin: string,
  error: RpcError,
  which: (approval: StoredApproval) => boolean = () => true,
): Promise<void> {
  for (const other of await wallet.approvals.listed())
    if (other.origin === origin && which(other)) await closeApproval(wallet, other.id, () => error);
}

export const takenAway = () => unauthorized('revoked', 'The permission for this request was taken back.');

/**
 * Closes an approval that its site, which may be blocked by now, could not ask for any more.
 * @returns Whether it did.
 */
export async function closeWithoutPermission(
  wallet: Closable & Pick<Wallet, 'grants'>,
  approval: StoredApproval,
): Promise<boolean> {
  const site = await wallet.grants.of(approval.origin);
  if (!site?.blocked && mayAsk(site?.grants ?? [], approval)) return false;
  return (await closeApproval(wallet, approval.id, takenAway)) !== null;
}

/**
 * The approval to carry out. One whose site has lost its right since is closed instead: the worker
 * may have stopped between that and its closing.
 */
export async function stillApproved(
  wallet: Closable & Pick<Wallet, 'grants'>,
  id: string,
): Promise<Approved | undefined> {
  const approval = await wallet.approvals.get(id);
  if (approval?.stage !== 'approved' || (await closeWithoutPermission(wallet, approval))) return undefined;
  return approval;
}
