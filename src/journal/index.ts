export {
  createJournal,
  GRACE_MS,
  type Journal,
} from './createJournal.ts';

export { type IdJump, JournalError } from './errors.ts';
export type { Exchange } from './exchange.ts';
export {
  type RequestStatus,
  type SubmissionState,
  statusOf,
  submissionStates,
} from './lifecycle.ts';
export {
  historySchema,
  type SubmissionDraft,
  type SubmissionError,
  type SubmissionRecord,
  slotTokens,
  submissionErrorSchema,
  wireSchema,
} from './record.ts';

export type { RuleState, Spend } from './rule.ts';
export { isFinal, isUnknown, mayHaveArrivedBefore } from './transitions.ts';
