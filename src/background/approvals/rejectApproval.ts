import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { reported } from '../../report/report.ts';
import { RpcError } from '../errors/rpcError.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import { isForWindow, isOpen, type StoredApproval } from './store/storedApproval.ts';

/**
 * The user said no, closed the approval request, or takes an approval back while nothing of it is
 * signed.
 */
export async function reject(
  wallet: Pick<Wallet, 'approvals' | 'closing' | 'requestRate' | 'rights'>,
  id: string,
  block: boolean,
): Promise<void> {
  const { approvals, closing, rights } = wallet;
  const open = await approvals.get(id);
  const isTakenBack = open?.stage === 'approved';
  if (!open || !(isOpen(open) || isTakenBack)) throw new UiFailure('approval-gone', 'error_approvalGone');
  // Blocked first: should the worker stop after this, the approval request is still there to be
  // rejected.
  if (block && open.origin !== OWN_ORIGIN) await rights.silence(open.origin);
  const approval = await closing.close(id, isTakenBack ? takenBack : counted(wallet));
  if (!approval)
    throw isTakenBack
      ? new UiFailure('already-signed', 'error_alreadySigned')
      : new UiFailure('approval-gone', 'error_approvalGone');
  if (block && approval.origin !== OWN_ORIGIN) await rights.block(approval.origin);
}

/** The user said no to these requests of sites; what is the user's own or was approved goes on. */
export async function rejectAll(
  wallet: Pick<Wallet, 'approvals' | 'closing' | 'requestRate'>,
  ids: readonly string[],
): Promise<void> {
  const open = (await wallet.approvals.open()).filter(isForWindow);
  for (const { id } of open.filter((one) => ids.includes(one.id)))
    await wallet.closing.close(id, counted(wallet), isOpen);
}

/**
 * A rejection, counted as the request is closed: the page can ask again as soon as it has the
 * answer.
 */
export const counted =
  ({ requestRate }: Pick<Wallet, 'requestRate'>) =>
  (closed: StoredApproval): RpcError => {
    // The cool-down is a convenience; the answer must reach the page also when it cannot be stored.
    requestRate.countRejection(closed.origin).catch(reported('approvals: after a decision'));
    requestRate.countDecision(closed.origin).catch(reported('approvals: after a decision'));
    return rejection(closed);
  };

const takenBack = () => new RpcError('rejected', 'The user took the approval back before anything was signed.');

/**
 * The user's no to what could not be shown is a no too: a page that took it for an outage would ask
 * again at once.
 */
function rejection({ problem }: StoredApproval): RpcError {
  return problem
    ? new RpcError('rejected', 'The user closed the request, which could not be shown. Nothing was signed.', {
        reason: 'unavailable',
      })
    : new RpcError('rejected', 'The user rejected the request.');
}
