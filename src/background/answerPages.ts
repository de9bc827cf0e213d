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

/**
 * The answer to the pages of a request that ends without a further signature. When one was signed before and refused, the pages
 * learn that it can still be carried out.
 */
export function closingAnswer({ signedBefore }: Pick<StoredApproval, 'signedBefore'>, error: RpcError): Answer {
  if (signedBefore === undefined) return errorAnswer(error);
  const { validUntil } = signedBefore;
  const known = typeof error.data === 'object' ? error.data : {};
  const data = { ...known, status: 'refused', ...(validUntil === null ? {} : { validUntil }) };
  const message = `${error.message} An earlier signature that the relayer refused can still be carried out.`;
  return { error: { ...toProviderError(error), message, data } };
}

export const errorAnswer = (error: RpcError): Answer => ({ error: toProviderError(error) });
