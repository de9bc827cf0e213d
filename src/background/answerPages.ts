import type { StoredApproval } from './approvals.ts';
import { type Answer, toPageMessage } from './requests.ts';
import { type RpcError, toProviderError } from './rpcError.ts';
import type { Wallet } from './wallet.ts';

/** Stores the answer for every page request that an approval stands for, then pushes it to the pages that are there. */
async function answerAll({ requests, ports }: Wallet, approval: StoredApproval, answer: Answer): Promise<void> {
  for (const id of approval.requestIds) {
    await requests.answer(approval.origin, id, answer);
    const request = await requests.find(approval.origin, id);
    if (request?.answer)
      // A tab that is gone needs no answer; one that comes back asks by id.
      await ports.toPage(request.tabId, approval.origin, toPageMessage(id, request.answer)).catch(() => {});
  }
}

export const answerWithResult = (wallet: Wallet, approval: StoredApproval, result: unknown) =>
  answerAll(wallet, approval, { result });

export const answerWithError = (wallet: Wallet, approval: StoredApproval, error: RpcError) =>
  answerAll(wallet, approval, { error: toProviderError(error) });
