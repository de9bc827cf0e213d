import type { IdJump, SubmissionRecord } from '../../../journal/index.ts';
import type { UiParams } from '../../../messaging/uiMethods.ts';
import type { Text } from '../../../operations/review.ts';
import type { StoredApproval, StoredDraft } from './storedApproval.ts';

/** A request as it was stored. */
export interface Entered {
  readonly entered: StoredApproval;
  /** Id of the approval request that the window shows first. */
  readonly first: string;
  /** Counts for the rate of its site should no standing approval answer it. */
  readonly isUncounted: boolean;
}

/** The user's decision in the window. */
export type Approve = UiParams<'approve'>;

/**
 * Why an approval goes back to the user.
 *
 * - `late`: it was not signed within two minutes.
 * - `by-hand`: it needs another signature, because the relayer refused the last one; or the limits
 *   of the standing approval that answered it are reached.
 * - `idJump`: the relayer names a storage id that is not believed unasked.
 * - `why`: what it was prepared from has changed.
 * - `recordsLost`: nobody knows whether it was signed, because the journal is lost.
 */
export type Reason = 'late' | 'by-hand' | 'recordsLost' | { readonly idJump: IdJump } | { readonly why: Text };

/** Why an approval does not hold any more at the moment of its signature. */
export type Lapse = 'late' | 'taken-back';

/**
 * An approval does not hold any more at the moment of its signature: it is too old, or was taken
 * back.
 */
export class ApprovalLapsed extends Error {
  override readonly name = 'ApprovalLapsed';

  constructor(readonly reason: Lapse) {
    super(`the approval was not signed: ${reason}`);
  }
}

/**
 * Signatures of one request within a standing approval, each counted by its limits: the first, and
 * again under a new id when another browser used the storage id. What the user approved by hand is
 * asked again instead.
 */
export const COPIES_WITHIN_LIMITS = 3;
/** How many times a request had been signed with this one. */
export const copyOf = ({ copy = 1 }: SubmissionRecord): number => copy;

/** One of the requests that an approval stands for; most stand for one. */
export interface Attempt {
  readonly requestId: string;
  readonly draft: StoredDraft;
  /** Storage id whose slot this one takes over from the one before. */
  readonly reuse?: number;
  /** Id of the submission before. */
  readonly after?: string;
}

/** How far the signatures and submissions of one approval have come. */
export interface Progress {
  attempt: Attempt;
  record: SubmissionRecord | undefined;
  /** Attempts before the last one, of which nothing came. */
  readonly passed: SubmissionRecord[];
}
