export {
  createJournal,
  type Journal,
} from './createJournal.ts';

export { asJournalError, type IdJump, JournalError } from './errors.ts';
export type { Exchange } from './exchange.ts';
export {
  ENDED_UNSEEN,
  ENDED_WITH_ACCOUNT,
  type SubmissionState,
  statusOf,
  submissionStates,
  type UnsubmittedStatus,
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
export {
  isCancelledEarly,
  isDropped,
  isFinal,
  isUnknown,
  lastChangeAt,
  mayHaveArrivedBefore,
  mayStillHappen,
  outcomeAmong,
  sendsOf,
} from './transitions.ts';
