import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import { operationNamed } from '../../operations/index.ts';
import type { Turn } from './store/flow.ts';
import type { ApprovedRequest, RequestApproval } from './store/storedApproval.ts';

const turnId = (approvalId: string, number: number): string => (number === 0 ? approvalId : `${approvalId}/${number}`);

/** The turn that comes after one, whether it may be taken or not. */
export function turnAfter(
  { id, operation }: Pick<RequestApproval, 'id' | 'operation'>,
  turn: Turn,
  { slot }: SubmissionRecord,
): Turn | null {
  const draft = operationNamed(operation).alternatives?.next(turn.draft);
  if (!draft || !slot) return null;
  const number = Number(turn.requestId.split('/')[1] ?? 0) + 1;
  return { requestId: turnId(id, number), draft, reuse: slot.storageId };
}

/** Id of the last turn that has a record; of the first when none has. */
export async function currentRequestId(
  journal: Pick<Journal, 'byRequest'>,
  { id, origin }: Pick<RequestApproval, 'id' | 'origin'>,
): Promise<string> {
  let number = 0;
  while (await journal.byRequest(origin, turnId(id, number + 1))) number++;
  return turnId(id, number);
}

/** The last turn that has a record: what an earlier worker has passed over is never signed again. */
export async function currentTurn(journal: Pick<Journal, 'byRequest'>, approval: ApprovedRequest): Promise<Turn> {
  let turn: Turn = { requestId: approval.id, draft: approval.draft };
  for (;;) {
    const record = await journal.byRequest(approval.origin, turn.requestId);
    const next = record && turnAfter(approval, turn, record);
    if (!next || !(await journal.byRequest(approval.origin, next.requestId))) return turn;
    turn = next;
  }
}
