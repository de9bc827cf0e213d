import { approvalDigest } from '../../operations/approvalDigest.ts';
import { reviewOf } from '../../operations/askedAgain.ts';
import { approvableNamed } from '../../operations/index.ts';
import { type Draft, IntentError } from '../../operations/operation.ts';
import type { StandingTerms } from '../../operations/standing.ts';
import { type StandingLimits, type StandingShown, tightened } from '../../operations/standingApproval.ts';
import { invalidInput, UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import { isReady, matches } from './shownReview.ts';

/**
 * Puts the request for a standing approval again with limits that the user made tighter: another
 * draft, review and digest, which the window has to show before they can be approved.
 * @throws {UiFailure} `invalid-input` for a limit that is looser, `digest-mismatch` for an approval
 *   request that was not shown.
 */
export async function tighten(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'ports' | 'vault'>,
  id: string,
  digest: string,
  limits: StandingLimits,
): Promise<void> {
  const { approvals, vault, config, ports } = wallet;
  const approval = await approvals.get(id);
  if (approval?.stage !== 'ready' || approval.kind !== 'standing')
    throw new UiFailure('approval-gone', 'error_approvalGone');
  if (!(await vault.isUnlocked())) throw new UiFailure('locked', 'error_locked');
  const { network } = await config.place(approval.account);
  if (!network) throw new UiFailure('not-found', 'error_notFound');
  let changed = false;
  try {
    await approvals.update(id, (current) => {
      if (!isReady(current) || !matches(current, digest, network.exchangeAddress)) return null;
      changed = true;
      const now = Math.floor(ports.now() / 1000);
      const draft = tightened(current.draft as Draft<StandingTerms, StandingShown>, limits, now);
      // The facts are as old as before.
      const { first: _, reviewedAt, ...rest } = current;
      // The limits of the user are what is prepared again from here on.
      const intent = { ...(current.intent as object), ...draft.body };
      const next = {
        ...rest,
        intent,
        draft,
        reviewedAt,
        review: reviewOf(approvableNamed(current.operation), draft, reviewedAt),
      };
      return { ...next, digest: approvalDigest(next, network.exchangeAddress) };
    });
  } catch (error) {
    throw error instanceof IntentError ? invalidInput(error.field) : error;
  }
  if (!changed) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  ports.toUi();
}
