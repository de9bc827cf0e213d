import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import { findOperation, operationNamed } from '../../operations/index.ts';
import { attemptId, isGivenUp } from '../submissions/outcome.ts';
import { type Attempt, copyOf, type Progress } from './store/flow.ts';
import type { ApprovedRequest, RequestApproval, StoredApproval } from './store/storedApproval.ts';

/** The attempt that comes after one, whether it may be taken or not. */
export function attemptAfter(
  { id, operation }: Pick<RequestApproval, 'id' | 'operation'>,
  attempt: Attempt,
  { id: after, slot }: SubmissionRecord,
): Attempt | null {
  const draft = operationNamed(operation).alternatives?.next(attempt.draft);
  if (!draft || !slot) return null;
  const number = Number(attempt.requestId.split('/')[1] ?? 0) + 1;
  return { requestId: attemptId(id, number), draft, reuse: slot.storageId, after };
}

/** Ids of the attempts that have a record, the first one always. */
export async function requestIdsOf(
  journal: Pick<Journal, 'byRequest'>,
  { id, origin }: Pick<RequestApproval, 'id' | 'origin'>,
): Promise<readonly [string, ...string[]]> {
  const ids: [string, ...string[]] = [id];
  while (await journal.byRequest(origin, attemptId(id, ids.length))) ids.push(attemptId(id, ids.length));
  return ids;
}

/** What was signed for an approval, of all attempts and their copies; oldest first. */
export async function signaturesOf(
  journal: Pick<Journal, 'byRequest' | 'copiesOf'>,
  approval: Pick<RequestApproval, 'id' | 'origin'>,
): Promise<readonly SubmissionRecord[]> {
  const ids = await requestIdsOf(journal, approval);
  const copies = await Promise.all(ids.map((requestId) => journal.copiesOf(approval.origin, requestId)));
  return copies.flat().filter(({ wire }) => wire !== undefined);
}

/**
 * The signatures that were refused, of all attempts: a refusal does not make one void. One more may
 * be made of the current attempt at the next approval, and the review names the ones before.
 */
export async function refusedCopies(
  journal: Pick<Journal, 'byRequest' | 'copiesOf'>,
  { id, origin }: StoredApproval,
): Promise<
  Pick<RequestApproval, 'byHand' | 'copies' | 'copiesFor' | 'signedBefore'> & { latest?: SubmissionRecord | undefined }
> {
  const ids = await requestIdsOf(journal, { id, origin });
  const copies = (await Promise.all(ids.map((requestId) => journal.copiesOf(origin, requestId)))).flat();
  // Another signature needs a click then, also within a standing approval.
  const byHand = copies.some(isGivenUp) ? { byHand: true as const } : {};
  const refused = copies.filter(({ state }) => state === 'refused');
  if (refused.length === 0) return byHand;
  const requestId = ids.at(-1);
  const own = refused.filter((record) => record.requestId === requestId);
  const ends = refused.map(({ validUntil }) => validUntil);
  const last = ends.every((end) => end !== undefined) ? Math.max(...ends) : null;
  return {
    ...byHand,
    latest: refused.at(-1),
    copies: Math.max(0, ...own.map(copyOf)) + 1,
    ...(requestId === id ? {} : { copiesFor: requestId }),
    signedBefore: { copies: refused.length, validUntil: last },
  };
}

/**
 * How far an earlier worker came: the last attempt that has a record, and the records before it.
 * What it has passed over is never signed again, and the last of it answers when nothing more can
 * be signed.
 */
export async function progressOf(journal: Pick<Journal, 'byRequest'>, approval: ApprovedRequest): Promise<Progress> {
  // One that only another version has still ends where its account is gone.
  const alternatives = findOperation(approval.operation)?.alternatives;
  const passed: SubmissionRecord[] = [];
  let attempt: Attempt = { requestId: approval.id, draft: approval.draft };
  for (;;) {
    const record = alternatives && (await journal.byRequest(approval.origin, attempt.requestId));
    const next = record && attemptAfter(approval, attempt, record);
    if (!next || !(await journal.byRequest(approval.origin, next.requestId)))
      return { attempt, record: passed.pop(), passed };
    passed.push(record);
    attempt = next;
  }
}
