import { isFull } from '../storage/stores.ts';

/** Error codes of the journal, stable. */
export type JournalErrorCode =
  /** The submission or an option has the wrong shape; nothing was written. */
  | 'bad-input'
  /** No submission has this id. */
  | 'not-found'
  /** The page's request already has a submission that may have been signed. */
  | 'request-exists'
  /** Every signature that was approved for this request was made. */
  | 'signed-before'
  /** The state machine has no such step. */
  | 'illegal-transition'
  /** A payload was offered to a submission that already has one. */
  | 'already-signed'
  /** There is no cursor yet, and nobody said what the relayer's next id is. */
  | 'cursor-unknown'
  /** The relayer's next id lies further ahead of the last known one than any use explains. */
  | 'id-jump'
  /** The slots of open orders that this journal does not know have to be read first. */
  | 'slots-unread'
  /** The next id would need more than 32 bits. */
  | 'ids-exhausted'
  /** Every slot of this account, token and parity holds an open submission. */
  | 'slots-exhausted'
  /** A standing approval's limit would be passed. */
  | 'limit-exceeded'
  /** The standing approval was ended, has expired, or never was. */
  | 'rule-closed'
  /** A stored entry does not have the shape of any version that this code knows. */
  | 'corrupt'
  /** The disk or the quota is full. */
  | 'storage-full'
  /** Any other failure of the database. */
  | 'storage';

export interface IdJump {
  readonly known: number;
  readonly named: number;
}

/** Every error of `journal/`. Messages name ids and states, never a payload or a signature. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: JournalErrorCode;
  /** The submission that the error is about, when there is one. */
  readonly submissionId: string | undefined;
  /** Of `id-jump`: the next id as it is known here, and as the relayer names it. */
  readonly jump: IdJump | undefined;

  constructor(
    code: JournalErrorCode,
    message: string,
    details: { submissionId?: string; jump?: IdJump; cause?: unknown } = {},
  ) {
    super(message, details.cause == null ? undefined : { cause: details.cause });
    this.code = code;
    this.submissionId = details.submissionId;
    this.jump = details.jump;
  }
}

/** Gives a database failure its code; errors of the journal itself pass unchanged. */
export function asJournalError(error: unknown): JournalError {
  if (error instanceof JournalError) return error;
  return new JournalError(
    isFull(error) ? 'storage-full' : 'storage',
    'the journal database failed',
    // An aborted transaction without a reason rejects with null.
    { cause: error },
  );
}
