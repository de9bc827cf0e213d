import { OWN_ORIGIN } from '../messaging/ownOrigin.ts';
import type { StoredApproval } from './approvals.ts';
import { type Answer, toPageMessage } from './requests.ts';
import { type RpcError, toProviderError } from './rpcError.ts';
import type { Wallet } from './wallet.ts';

/** Tells the pages that are there the stored answers of an approval that is over. */
export async function pushAnswers({ requests, ports }: Wallet, approval: StoredApproval): Promise<void> {
  if (approval.origin === OWN_ORIGIN) return;
  for (const id of approval.requestIds) {
    const request = await requests.find(approval.origin, id);
    if (request?.answer)
      // A tab that is gone needs no answer; one that comes back asks by id.
      await ports.toPage(request.tabId, approval.origin, toPageMessage(id, request.answer)).catch(() => {});
  }
}

export const errorAnswer = (error: RpcError): Answer => ({ error: toProviderError(error) });
