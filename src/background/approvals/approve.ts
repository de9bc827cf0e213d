import { UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import type { Approve } from './store/flow.ts';

/**
 * The user said yes to exactly what the window showed. A review that is too old is prepared again
 * instead, to be shown and approved anew. The digest is computed again from what is stored now and
 * the review is made again from the draft; any difference is refused, and nothing was signed.
 * @throws {UiFailure} `approval-gone`, `digest-mismatch`, `locked`
 */
export async function approve(
  wallet: Pick<Wallet, 'approvals' | 'approveConnection' | 'approveRequest' | 'leftPages' | 'vault'>,
  decision: Approve,
): Promise<void> {
  await wallet.leftPages.endIf(decision.id);
  const [approval, isUnlocked] = await Promise.all([wallet.approvals.get(decision.id), wallet.vault.isUnlocked()]);
  if (approval?.stage !== 'ready') throw new UiFailure('approval-gone', 'error_approvalGone');
  if (!isUnlocked) throw new UiFailure('locked', 'error_locked');
  await (approval.kind === 'connect'
    ? wallet.approveConnection(approval, decision)
    : wallet.approveRequest(approval, decision));
}
