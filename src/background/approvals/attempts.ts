import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import { operationNamed } from '../../operations/index.ts';
import type { Attempt } from './store/flow.ts';
import type { ApprovedRequest, RequestApproval } from './store/storedApproval.ts';

const attemptId = (approvalId: string, number: number): string =>
  number === 0 ? approvalId : `${approvalId}/${number}`;

/** The attempt that comes after one, whether it may be taken or not. */
export function attemptAfter(
  { id, operation }: Pick<RequestApproval, 'id' | 'operation'>,
  attempt: Attempt,
  { slot }: SubmissionRecord,
): Attempt | null {
  const draft = operationNamed(operation).alternatives?.next(attempt.draft);
  if (!draft || !slot) return null;
  const number = Number(attempt.requestId.split('/')[1] ?? 0) + 1;
  return { requestId: attemptId(id, number), draft, reuse: slot.storageId };
}

/** Id of the last attempt that has a record; of the first when none has. */
export async function currentRequestId(
  journal: Pick<Journal, 'byRequest'>,
  { id, origin }: Pick<RequestApproval, 'id' | 'origin'>,
): Promise<string> {
  let number = 0;
  while (await journal.byRequest(origin, attemptId(id, number + 1))) number++;
  return attemptId(id, number);
}

/** The last attempt that has a record: what an earlier worker has passed over is never signed again. */
export async function currentAttempt(journal: Pick<Journal, 'byRequest'>, approval: ApprovedRequest): Promise<Attempt> {
  let attempt: Attempt = { requestId: approval.id, draft: approval.draft };
  for (;;) {
    const record = await journal.byRequest(approval.origin, attempt.requestId);
    const next = record && attemptAfter(approval, attempt, record);
    if (!next || !(await journal.byRequest(approval.origin, next.requestId))) return attempt;
    attempt = next;
  }
}
