import { coreInUse } from '../../crypto/index.ts';
import { isStale } from '../../messaging/reviewAge.ts';
import { approvableNamed } from '../../operations/index.ts';
import { asksPassword } from '../../operations/warnings.ts';
import { reported } from '../../report/report.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import { isReady, matches } from './shownReview.ts';
import type { Approve } from './store/flow.ts';
import type { ReadyRequest } from './store/storedApproval.ts';

/** The user approves a request that is to be signed, or a standing approval. */
export async function approveRequest(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'decided' | 'ports' | 'prepare' | 'vault'>,
  approval: ReadyRequest,
  decision: Approve,
): Promise<void> {
  const { approvals, vault, config } = wallet;
  const { account, network } = await config.place(approval.account);
  if (!account || !network) throw new UiFailure('not-found', 'error_notFound');
  if (decision.account !== approval.account) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  if (isStale(approval.reviewedAt, wallet.ports.now())) return wallet.prepare(decision.id);
  const approvable = approvableNamed(approval.operation);
  if (approvable.confirm === 'password' || asksPassword(approval.review)) {
    if (decision.password === undefined) throw new UiFailure('password-needed', 'error_passwordNeeded');
    await vault.checkPassword(decision.password);
  }
  if (approval.choice?.kind === 'random' && !approval.choice.backedUp)
    throw new UiFailure('backup-needed', 'error_backupNeeded');
  let approved = false;
  const stored = approvals.update(decision.id, (current) => {
    const now = wallet.ports.now();
    if (!isReady(current) || isStale(current.reviewedAt, now)) return null;
    approved = matches(current, decision.digest, network.exchangeAddress);
    return approved ? { ...current, stage: 'approved', decidedAt: now } : null;
  });
  // Loaded while the disk is at work, which takes longer.
  coreInUse();
  await stored;
  if (!approved) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  // The window is told at once that work goes on; the result reaches it, and the page, when it is
  // there.
  wallet.decided(approval).catch(reported('approvals: after a decision'));
}
