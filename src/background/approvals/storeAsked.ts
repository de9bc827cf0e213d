import { keyReused, RpcError } from '../errors/rpcError.ts';
import type { PageDocument } from '../sites/sender.ts';
import type { Wallet } from '../wallet.ts';
import { type ApprovalRequest, askedDigestOf } from './store/approvalRequest.ts';
import { KeyReused } from './store/approvals.ts';
import type { Entered } from './store/flow.ts';
import { isForWindow, type StoredApproval } from './store/storedApproval.ts';

type Asked = Pick<StoredApproval, 'version' | 'id' | 'origin' | 'requestIds' | 'createdAt' | 'askedDigest'>;

export const tooOften = () => new RpcError('limitExceeded', 'This site asks too often. Wait before asking again.');

/** An approval request as it is stored first. */
const asApproval = (request: ApprovalRequest, asked: Asked & { readonly stage: 'waiting' }): StoredApproval =>
  request.kind === 'connect' ? { ...asked, ...request, kinds: [...request.kinds] } : { ...asked, ...request };

/**
 * Means a pending approval request, or has the key of an earlier one. Equal requests with keys of
 * their own are several.
 */
const isRepeat = async (
  approvals: Wallet['approvals'],
  { askedDigest, idempotencyKey: key, origin }: StoredApproval,
  open: readonly StoredApproval[],
): Promise<boolean> =>
  open.some(
    (one) =>
      one.askedDigest === askedDigest &&
      (one.idempotencyKey === key || (key !== undefined && [one.id, ...one.requestIds].includes(key))),
  ) ||
  (key !== undefined && (await approvals.idOfKey(origin, key)) !== undefined);

/**
 * Stores the request of a page as a pending approval. The same request id is never a second one,
 * and an equal one that is still pending takes the request in.
 * @returns `null` when this request id was asked before.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function storeAsked(
  wallet: Pick<Wallet, 'accountKeys' | 'admit' | 'approvals' | 'candidates' | 'ports'>,
  caller: PageDocument,
  requestId: string,
  request: ApprovalRequest,
): Promise<Entered | null> {
  const { approvals, ports } = wallet;
  const { origin, tabId, documentId } = caller;
  const createdAt = ports.now();
  const admitted = await wallet.admit(caller, requestId, createdAt);
  if (!admitted) return null;
  const { rate, open } = admitted;
  const asked = asApproval(request, {
    version: 1,
    id: ports.uuid(),
    stage: 'waiting',
    origin,
    requestIds: [],
    createdAt,
    askedDigest: askedDigestOf(origin, request),
  });
  // What a standing approval may answer has a rate of its own; a repeat it does not answer.
  const isLimited = (await isRepeat(approvals, asked, open)) || (await wallet.candidates(asked)).length === 0;
  if (isLimited && rate.isSpent) throw tooOften();
  if (request.kind === 'operation') wallet.accountKeys.readApiKeyAhead(request.account);
  const counted = isLimited ? rate.keep() : undefined;
  try {
    const entered = await approvals.ask(asked, { id: requestId, origin, tabId, documentId, createdAt });
    await counted;
    const first = open.find(isForWindow)?.id ?? entered.id;
    return { entered, first, isUncounted: !isLimited && entered.id === asked.id };
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error;
    throw keyReused('names another request of this site', error.requestId);
  }
}
