import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { expected } from '../../report/report.ts';
import { RpcError, toProviderError, unauthorized } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import type { Grants } from '../sites/grants.ts';
import { type Answer, type Requests, type StoredRequest, toPageMessage } from './store/requests.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/** Dependencies of the functions that answer pages. */
export interface Answerable {
  readonly requests: Pick<Requests, 'find'>;
  readonly grants: Pick<Grants, 'of'>;
  readonly ports: Pick<Ports, 'toPage'>;
}

export const blocked = () => unauthorized('blocked', 'The user has blocked this site.');

type AnsweredRequest = StoredRequest & { readonly answer: Answer };

export const hasAnswer = (request: StoredRequest): request is AnsweredRequest => request.answer !== null;

/** What tells that the wallet signed, or how what it signed ended. */
function tellsOfSignature(answer: Answer): boolean {
  if ('result' in answer) return true;
  const { hash, status } = (answer.error.data ?? {}) as { readonly hash?: unknown; readonly status?: unknown };
  // Without a hash when another end followed a refusal.
  return hash !== undefined || status === 'refused';
}

/** The stored answer of a request; a site that is blocked learns nothing of a signature. */
export async function answerTo(
  { grants }: Pick<Answerable, 'grants'>,
  { origin, answer }: AnsweredRequest,
): Promise<Answer> {
  return tellsOfSignature(answer) && (await grants.of(origin))?.blocked ? errorAnswer(blocked()) : answer;
}

/** Sends the stored answers of an approval that is over to the pages that are there. */
export async function pushAnswers(wallet: Answerable, approval: StoredApproval): Promise<void> {
  const { requests, ports } = wallet;
  if (approval.origin === OWN_ORIGIN) return;
  for (const id of approval.requestIds) {
    const request = await requests.find(approval.origin, id);
    if (request && hasAnswer(request))
      // Not waited for, because a tab that hangs takes no answer. One that is gone needs none, and
      // one that comes back asks by id.
      ports.toPage(request.tabId, approval.origin, toPageMessage(id, await answerTo(wallet, request))).catch(expected);
  }
}

/**
 * The answer to the pages of a request that ends without a further signature. When one was signed
 * before and refused, the pages learn that it can still be carried out, and by which id they can
 * follow it; when nobody knows, that its outcome is unknown.
 */
export function closingAnswer(
  { id, signedBefore }: Pick<StoredApproval, 'id' | 'signedBefore'>,
  error: RpcError,
): Answer {
  if (signedBefore === undefined) return errorAnswer(error);
  if (signedBefore.copies === 0) {
    const message = 'The outcome is unknown.';
    return errorAnswer(new RpcError('disconnected', message, { status: 'unknown', requestId: id }));
  }
  const { validUntil } = signedBefore;
  const known = typeof error.data === 'object' ? error.data : {};
  const data = { ...known, status: 'refused', requestId: id, ...(validUntil === null ? {} : { validUntil }) };
  const message = `${error.message} An earlier signature that the relayer refused can still be carried out.`;
  return { error: { ...toProviderError(error), message, data } };
}

export const errorAnswer = (error: RpcError): Answer => ({ error: toProviderError(error) });
