import { type RequestStatus, type SubmissionRecord, statusOf } from '../../../journal/index.ts';
import { z } from '../../../protocol/zod.ts';
import { isOpen, type StoredApproval } from '../../approvals/store/storedApproval.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { pageMethod } from './pageMethod.ts';
import type { PageRooms } from './rooms.ts';

const MOST = 100;

function approvalStatus(approval: StoredApproval): RequestStatus {
  if (isOpen(approval)) return 'pending';
  return approval.stage === 'approved' ? 'approved' : approval.problem && !approval.left ? 'failed' : 'closed';
}

/** A page's request: the approval request while it is one, and the submission once there is one. */
function describe(approval: StoredApproval | undefined, record: SubmissionRecord | undefined) {
  return {
    requestId: record?.requestId ?? approval?.id,
    operation: record?.operation ?? approval?.operation ?? approval?.kind ?? 'connect',
    ...(approval?.idempotencyKey === undefined ? {} : { idempotencyKey: approval.idempotencyKey }),
    status: record ? statusOf(record) : approval && approvalStatus(approval),
    hash: record?.hash ?? null,
    ...(record?.slot ? { storageId: record.slot.storageId } : {}),
    createdAt: record?.history[0]?.at ?? approval?.createdAt,
  };
}

/**
 * The approval request that a site means: by the number that results and events carry, by the id of the page's own request, which is
 * all that a page knows whose answer was lost, or by the site's own key.
 */
async function approvalMeant({ approvals, requests }: PageRooms['history'], origin: string, named: string) {
  const own = await approvals.get(named);
  if (own?.origin === origin) return own;
  const id = (await requests.find(origin, named))?.approvalId ?? (await approvals.idOfKey(origin, named));
  return id === undefined ? undefined : approvals.get(id);
}

/** One of the site's own requests, however old it is. */
export const relayerGetRequest = pageMethod({
  name: 'relayer_getRequest',
  params: () => z.strictObject({ requestId: z.string().check(z.minLength(1), z.maxLength(200)) }),
  needs: 'connection',
  async handle({ site: { origin }, rooms: { history }, params: { requestId } }) {
    const approval = await approvalMeant(history, origin, requestId);
    const id = approval?.id ?? (await history.requests.find(origin, requestId))?.approvalId ?? requestId;
    const record = (await history.journal.list({ origin })).find((other) => isOf(other, id));
    if (!approval && !record) throw new RpcError('invalidParams', 'requestId: this site has no request of this id');
    return describe(approval, record);
  },
});

/** The site's own requests, newest first: those that wait, and what became of the others. */
export const relayerGetRequests = pageMethod({
  name: 'relayer_getRequests',
  params: () => z.optional(z.strictObject({ limit: z.optional(z.int().check(z.minimum(1), z.maximum(MOST))) })),
  needs: 'connection',
  async handle({ site: { origin }, rooms: { history }, params: asked }) {
    const approvals = (await history.approvals.list()).filter((approval) => approval.origin === origin);
    const records = await history.journal.list({ origin });
    const latest = new Map<string, SubmissionRecord>();
    for (const record of records) if (!latest.has(record.requestId)) latest.set(record.requestId, record);
    const known = new Set(approvals.map(({ id }) => id));
    const rows = [
      ...approvals.map((approval) => describe(approval, latest.get(approval.id))),
      ...[...latest.values()]
        .filter(({ requestId }) => !known.has(requestId))
        .map((record) => describe(undefined, record)),
    ];
    return rows.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0)).slice(0, asked?.limit ?? MOST);
  },
});

/** Takes back a request of the site of which nothing is signed, whether the user has decided or not. */
export const relayerWithdrawRequest = pageMethod({
  name: 'relayer_withdrawRequest',
  params: () => z.strictObject({ requestId: z.string().check(z.minLength(1), z.maxLength(200)) }),
  needs: 'connection',
  async handle({ site: { origin }, rooms: { history }, params: { requestId } }) {
    const approval = await history.approvals.get(requestId);
    const own = approval?.origin === origin;
    const withdrawn = new RpcError('rejected', 'The site took the request back.', { status: 'withdrawn' });
    if (!own || !(await history.withdraw(requestId, withdrawn)))
      throw new RpcError('invalidParams', 'requestId: no request of this site waits under it, or it is signed already');
    return null;
  },
});

/** Several orders of which one can fill are signed one after another, under `requestId/1` and so on: the last one counts. */
const isOf = (record: SubmissionRecord, requestId: string): boolean =>
  record.requestId === requestId || record.requestId.startsWith(`${requestId}/`);

/** Exports the journal's record of one of the site's own requests, in a form that can be kept and checked elsewhere. */
export const relayerGetReceipt = pageMethod({
  name: 'relayer_getReceipt',
  params: () => z.strictObject({ requestId: z.string().check(z.minLength(1), z.maxLength(200)) }),
  needs: 'connection',
  async handle({ site: { origin }, rooms: { history }, params: { requestId } }) {
    const record = (await history.journal.list({ origin })).find((other) => isOf(other, requestId));
    if (!record) throw new RpcError('invalidParams', 'requestId: no request of this site was approved under it');
    return history.receipt(record);
  },
});
