import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { RpcError } from '../errors/rpcError.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import { counted } from './rejection.ts';
import { isForWindow, isOpen } from './store/storedApproval.ts';

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
  // Also when this one has ended meanwhile: the site is silent, and what else it asked would stay.
  if (block && open.origin !== OWN_ORIGIN) await rights.block(open.origin);
  if (!approval)
    throw isTakenBack
      ? new UiFailure('already-signed', 'error_alreadySigned')
      : new UiFailure('approval-gone', 'error_approvalGone');
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

export const takenBack = () => new RpcError('rejected', 'The user took the approval back.');
