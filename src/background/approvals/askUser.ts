import { report } from '../../report/report.ts';
import type { PageDocument } from '../sites/sender.ts';
import type { Wallet } from '../wallet.ts';
import type { ApprovalRequest } from './store/approvalRequest.ts';

/**
 * Puts an approval request of a page to the user. The request is stored before a window opens.
 * @returns Id of the approval request, or `null` when this request id was asked before.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function askUser(
  wallet: Pick<Wallet, 'planWake' | 'requestRate' | 'show' | 'storeAsked'>,
  caller: PageDocument,
  requestId: string,
  request: ApprovalRequest,
): Promise<string | null> {
  const stored = await wallet.requestRate.alone(() => wallet.storeAsked(caller, requestId, request));
  if (stored === null) return null;
  // The approval request is stored, so from here on its answer comes from the user: what fails now
  // is left to the next wake-up.
  await wallet.show(stored).catch((error: unknown) => {
    report('approvals: show', error);
    return wallet.planWake();
  });
  return stored.entered.id;
}
