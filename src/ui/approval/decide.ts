import type { UiParams } from '../../messaging/uiMethods.ts';
import type { ApprovalView } from '../../messaging/views.ts';
import { call, UiCallError } from '../background.ts';

/**
 * Sends the yes of the user. A worker that was stopped under it gives no answer: what the request
 * became then is what is shown, and if it still waits for a decision, the same yes is sent once
 * more. The background takes it for this digest only, and only once. A request that was put back
 * meanwhile, such as by a long sleep, waits for another click.
 * @param view - What the user said yes to.
 * @throws {UiCallError} The background refused, or gave no answer twice.
 */
export async function decide(view: ApprovalView, decision: UiParams<'approve'>): Promise<ApprovalView> {
  try {
    return await call('approve', decision);
  } catch (error) {
    if (!(error instanceof UiCallError && error.code === 'no-answer')) throw error;
  }
  const now = await call('getApproval', { id: decision.id });
  const isSame = now.reviewedAt === view.reviewedAt && now.again?.key === view.again?.key;
  return now.stage === 'ready' && !now.needsPassword && isSame ? call('approve', decision) : now;
}
