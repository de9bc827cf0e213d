import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { ChoiceNeeded, IntentError } from '../../operations/operation.ts';
import { RpcError } from '../errors/rpcError.ts';
import { toText } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import { closingAnswer } from './answerFor.ts';
import { isStillAsked } from './prepareOperation.ts';
import { ended, type PendingRequest } from './store/storedApproval.ts';

/** Nothing of it can be approved any more; the review stays, to be compared with the next one. */
function withoutDraft(current: PendingRequest, stage: 'choosing' | 'unavailable'): PendingRequest {
  const { draft: _, digest: __, ...rest } = current;
  return { ...rest, stage };
}

/**
 * Stores why a request could not be prepared; one that can never be is closed, and its pages are
 * told.
 */
export async function keepProblem(
  { approvals, config }: Pick<Wallet, 'approvals' | 'config'>,
  approval: PendingRequest,
  error: unknown,
): Promise<void> {
  if (error instanceof ChoiceNeeded) {
    await approvals.update(approval.id, (current) =>
      isStillAsked(current, approval) ? withoutDraft(current, 'choosing') : null,
    );
    return;
  }
  if (error instanceof IntentError) {
    const key = approval.origin === OWN_ORIGIN ? 'problem_ownIntent' : 'problem_intent';
    const problem = error.textIn(key);
    const answer = closingAnswer(approval, new RpcError('invalidParams', error.message, { field: error.field }));
    await approvals.settle(approval.id, (current) =>
      isStillAsked(current, approval) ? { approval: ended(current, 'closed', { problem }), answer } : null,
    );
    return;
  }
  const { network } = await config.place(approval.account);
  const problem = toText(error, network ? new URL(network.baseUrl).host : '');
  await approvals.update(approval.id, (current) =>
    isStillAsked(current, approval) ? { ...withoutDraft(current, 'unavailable'), problem } : null,
  );
}
