import type { SubmissionRecord } from '../../journal/index.ts';
import { operationNamed } from '../../operations/index.ts';
import type { Wallet } from '../wallet.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/** One of the requests that an approved question stands for; most stand for one. */
export interface Turn {
  readonly requestId: string;
  readonly draft: StoredApproval['draft'];
  /** Storage id whose slot this one takes over from the one before. */
  readonly reuse?: number;
}

/** The turn that comes after one, whether it may be taken or not. */
export function turnAfter(approval: StoredApproval, turn: Turn, { slot }: SubmissionRecord): Turn | null {
  const draft = operationNamed(approval.operation ?? '').alternatives?.next(turn.draft as never);
  if (!draft || !slot) return null;
  const number = Number(turn.requestId.split('/')[1] ?? 0) + 1;
  return { requestId: `${approval.id}/${number}`, draft, reuse: slot.storageId };
}

/** The last turn that has a record: what an earlier life has passed over is never signed again. */
export async function currentTurn({ journal }: Pick<Wallet, 'journal'>, approval: StoredApproval): Promise<Turn> {
  let turn: Turn = { requestId: approval.id, draft: approval.draft };
  for (;;) {
    const record = await journal.byRequest(approval.origin, turn.requestId);
    const next = record && turnAfter(approval, turn, record);
    if (!next || !(await journal.byRequest(approval.origin, next.requestId))) return turn;
    turn = next;
  }
}
