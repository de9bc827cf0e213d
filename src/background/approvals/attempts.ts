import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import { findOperation, operationNamed } from '../../operations/index.ts';
import { attemptId } from '../submissions/outcome.ts';
import type { Attempt, Progress } from './store/flow.ts';
import type { ApprovedRequest, RequestApproval } from './store/storedApproval.ts';

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
