import { isFinal, type SubmissionRecord, statusOf, type UnsubmittedStatus } from '../../../journal/index.ts';
import { z } from '../../../protocol/zod.ts';
import { reportedAs } from '../../../report/report.ts';
import { isOpen, isSettled, type StoredApproval } from '../../approvals/store/storedApproval.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { approvalIdOf, outcomeOf } from '../../submissions/outcome.ts';
import { validity } from '../../submissions/submissionRecord.ts';
import { pageMethod } from './pageMethod.ts';
import type { PageRooms } from './rooms.ts';

const MOST = 100;

/** Of one without a record. What was signed for it may have been forgotten, or lost. */
function approvalStatus(approval: StoredApproval): UnsubmittedStatus | 'unknown' {
  if (isOpen(approval)) return 'pending';
  if (isSettled(approval) && (approval.submissionId ?? approval.signedBefore) !== undefined) return 'unknown';
  return approval.stage === 'approved' ? 'approved' : approval.problem && !approval.left ? 'failed' : 'closed';
}

/** The hash that pages were told of what has no record any more. */
async function answeredHash(history: PageRooms['history'], approval: StoredApproval | undefined): Promise<unknown> {
  if (approval?.submissionId === undefined) return null;
  const answer = (await history.request(approval.requestIds[0] ?? ''))?.answer;
  const told = answer && ('error' in answer ? answer.error.data : answer.result);
  return (told as { hash?: unknown } | undefined)?.hash ?? null;
}

/** A page's request: the approval request while it is one, and the submission once there is one. */
async function describe(
  history: PageRooms['history'],
  approval: StoredApproval | undefined,
  record: SubmissionRecord | undefined,
) {
  // While the approval goes on, an end of its record is none of the request: the user is asked
  // again, or the next order is signed.
  const isOpenStill = !record || (approval !== undefined && !isSettled(approval) && isFinal(record.state));
  return {
    requestId: record ? approvalIdOf(record) : approval?.id,
    operation: record?.operation ?? approval?.operation ?? approval?.kind ?? 'connect',
    ...(approval?.idempotencyKey === undefined ? {} : { idempotencyKey: approval.idempotencyKey }),
    ...(isOpenStill
      ? { status: approval && approvalStatus(approval) }
      : { status: statusOf(record), ...validity(record) }),
    hash: record ? (record.hash ?? null) : await answeredHash(history, approval),
    ...(record?.slot ? { storageId: record.slot.storageId } : {}),
    createdAt: record?.history[0]?.at ?? approval?.createdAt,
  };
}

/**
 * The request that a site means, and its approval while that is kept: by the number that results
 * and events carry, by the id of the page's own request, which is all that a page knows whose
 * answer was lost, or by the site's own key.
 */
async function requestMeant(history: PageRooms['history'], named: string) {
  const own = await history.approval(named);
  if (own) return { id: own.id, approval: own };
  const id = (await history.approvalOfKey(named)) ?? (await history.request(named))?.approvalId ?? named;
  return { id, approval: id === named ? undefined : await history.approval(id) };
}

const requestId = () => z.strictObject({ requestId: z.string().check(z.minLength(1), z.maxLength(200)) });

/** One of the site's own requests, while its approval request or its record is kept. */
export const relayerGetRequest = pageMethod({
  name: 'relayer_getRequest',
  params: requestId,
  needs: 'connection',
  async handle({ rooms: { history }, params: { requestId } }) {
    const { id, approval } = await requestMeant(history, requestId);
    const record = outcomeOf(await history.submissions(id));
    if (!approval && !record) throw new RpcError('invalidParams', 'requestId: this site has no request of this id');
    return describe(history, approval, record);
  },
});

/** The site's own requests, newest first: those that wait, and what became of the others. */
export const relayerGetRequests = pageMethod({
  name: 'relayer_getRequests',
  params: () => z.optional(z.strictObject({ limit: z.optional(z.int().check(z.minimum(1), z.maximum(MOST))) })),
  needs: 'connection',
  async handle({ rooms: { history }, params: asked }) {
    const most = asked?.limit ?? MOST;
    const approvals = new Map((await history.approvals(most)).map((approval) => [approval.id, approval]));
    const byApproval = new Map<string, SubmissionRecord[]>();
    for (const record of await history.records())
      byApproval.set(approvalIdOf(record), [...(byApproval.get(approvalIdOf(record)) ?? []), record]);
    const newest = [...new Set([...approvals.keys(), ...byApproval.keys()])]
      .map((id) => {
        const record = outcomeOf(byApproval.get(id)?.toReversed() ?? []);
        return { id, record, at: record?.history[0]?.at ?? approvals.get(id)?.createdAt ?? 0 };
      })
      .sort((a, b) => b.at - a.at)
      .slice(0, most);
    // One that cannot be read keeps nothing from the others, nor what became of its own.
    const other = (id: string) => history.approval(id).catch(reportedAs('page: requests', undefined));
    return Promise.all(
      newest.map(async ({ id, record }) => describe(history, approvals.get(id) ?? (await other(id)), record)),
    );
  },
});

/**
 * Takes back a request of the site of which nothing is signed, whether the user has decided or not.
 * A repeat finds it taken back.
 */
export const relayerWithdrawRequest = pageMethod({
  name: 'relayer_withdrawRequest',
  params: requestId,
  needs: 'connection',
  async handle({ rooms: { history }, params: { requestId } }) {
    const withdrawn = new RpcError('rejected', 'The site took the request back.', { status: 'withdrawn' });
    const { id } = await requestMeant(history, requestId);
    if ((await history.withdraw(id, withdrawn)) || (await history.approval(id))?.withdrawn) return null;
    throw new RpcError('invalidParams', 'requestId: no request of this site waits under it, or signing has begun');
  },
});

/**
 * Exports the journal's record of one of the site's own requests, in a form that can be kept and
 * checked elsewhere.
 */
export const relayerGetReceipt = pageMethod({
  name: 'relayer_getReceipt',
  params: requestId,
  needs: 'connection',
  async handle({ rooms: { history }, params: { requestId } }) {
    const { id } = await requestMeant(history, requestId);
    const record = outcomeOf(await history.submissions(id));
    if (!record) throw new RpcError('invalidParams', 'requestId: no request of this site was approved under it');
    return history.receipt(record);
  },
});
