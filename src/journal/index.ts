export {
  createJournal,
  type Journal,
  type JournalOptions,
  type ListFilter,
  type ReserveOptions,
} from './createJournal.ts';
export type { AccountRef, CursorRef } from './database.ts';
export { type IdJump, JournalError, type JournalErrorCode } from './errors.ts';
export type { Exchange } from './exchange.ts';
export {
  type RequestStatus,
  type SubmissionState,
  type SubmissionStatus,
  statusOf,
  submissionStates,
} from './lifecycle.ts';
export {
  type Slot,
  type SubmissionDraft,
  type SubmissionError,
  type SubmissionRecord,
  submissionErrorSchema,
  submissionRecordSchema,
  type Wire,
  wireSchema,
} from './record.ts';
export type { SlotRequest } from './reserveSlot.ts';
export type { RuleState, RuleTerms, Spend } from './rule.ts';
export { type FinalState, isFinal, isUnknown, mayHaveArrivedBefore } from './transitions.ts';
