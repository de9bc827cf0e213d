import type { Text } from '../../operations/review.ts';
import { askAgain } from '../keyUpdate/rotation.ts';
import type { Wallet } from '../wallet.ts';
import { planWake } from '../worker/planWake.ts';
import { hasEffect } from './approvalEffect.ts';
import { isLate } from './decisionAge.ts';
import { prepareApproval } from './prepareApproval.ts';
import { refreshBadge } from './refreshBadge.ts';
import { isForWindow, type StoredApproval } from './storedApproval.ts';

/** Why an approval comes back that was not signed in time. */
const lateText = ({ decidedAt = 0 }: StoredApproval): Text => ({
  key: 'again_late',
  values: { time: { kind: 'time', seconds: Math.floor(decidedAt / 1000) } },
});

/**
 * Puts an approval of which nothing is signed back to the user as a pending one, prepared anew, with the reason shown above it.
 * What a standing approval had answered is compared with its limits anew instead, because nobody clicked.
 * @param why - A sentence of the catalogs; that the click is too old when absent.
 */
export async function returnToUser(
  wallet: Wallet,
  approval: StoredApproval,
  why: Text = lateText(approval),
): Promise<void> {
  const { approvals, ports } = wallet;
  // A key update is decided in its own pages, which begin with the choice of the key.
  if (approval.choice) return askAgain(wallet, approval, why);
  const isUnasked = approval.rule !== undefined;
  const returned = await approvals.update(approval.id, (current) => {
    if (current.stage !== 'approved' || current.decidedAt !== approval.decidedAt) return null;
    const {
      draft: _,
      digest: __,
      problem: ___,
      chosen: ____,
      rule: _____,
      first: ______,
      decidedAt,
      ...rest
    } = current;
    return { ...rest, stage: 'waiting', ...(isUnasked ? {} : { again: { approvedAt: decidedAt ?? 0, why } }) };
  });
  if (returned?.stage !== 'waiting') return;
  if (isUnasked) return planWake(wallet);
  await prepareApproval(wallet, approval.id);
  await refreshBadge(wallet);
  ports.toUi();
  if (isForWindow(approval) && (await wallet.vault.isUnlocked())) await ports.showApproval(approval.id);
}

/**
 * Puts back what was approved too long ago; also while the wallet is locked, when nothing can be signed anyway.
 * @param id - One approval; all when absent.
 */
export async function returnLate(wallet: Wallet, id?: string): Promise<void> {
  const now = wallet.ports.now();
  const candidates = id === undefined ? await wallet.approvals.underWay() : [await wallet.approvals.get(id)];
  for (const approval of candidates)
    if (
      approval?.stage === 'approved' &&
      isLate(approval.decidedAt, now) &&
      !wallet.executing.has(approval.id) &&
      !(await hasEffect(wallet, approval))
    )
      await returnToUser(wallet, approval);
}
