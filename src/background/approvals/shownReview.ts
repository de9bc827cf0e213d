import { approvalDigest } from '../../operations/approvalDigest.ts';
import { reviewOf } from '../../operations/askedAgain.ts';
import { approvableNamed } from '../../operations/index.ts';
import { isRequest, type ReadyRequest, type StoredApproval } from './store/storedApproval.ts';

export const isReady = (approval: StoredApproval): approval is ReadyRequest =>
  isRequest(approval) && approval.stage === 'ready';

/**
 * Whether the digest of a click is that of what is stored, computed anew, and the review is that of
 * the draft.
 */
export function matches(approval: ReadyRequest, digest: string, exchangeAddress: string): boolean {
  const { draft, review, reviewedAt, operation } = approval;
  const again = reviewOf(approvableNamed(operation), draft, reviewedAt);
  return (
    digest === approval.digest &&
    digest === approvalDigest(approval, exchangeAddress) &&
    JSON.stringify(again) === JSON.stringify(review)
  );
}
