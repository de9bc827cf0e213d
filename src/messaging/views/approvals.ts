import type { Review, Text } from '../../operations/review.ts';
import type { ReviewChanges } from '../../operations/reviewChanges.ts';
import type { StandingTerms } from '../../operations/standing.ts';
import type { StandingShown } from '../../operations/standingApproval.ts';
import type { ActivityItem } from './activity.ts';
import type { PermissionKind } from './sites.ts';
import type { AccountView, NetworkView } from './wallet.ts';

/**
 * Stage of an approval, stored and shown. `waiting`: facts are being read. `unavailable`: facts
 * could not be read, `problem` says why, can be tried again. `choosing`: the user chooses in
 * another page of the wallet first. `ready`: can be decided. `approved`: being signed and sent.
 * `done`: has a result. `closed`: rejected, withdrawn or superseded.
 */
export type ApprovalStage = 'waiting' | 'unavailable' | 'choosing' | 'ready' | 'approved' | 'done' | 'closed';

export interface ApprovalView {
  readonly id: string;
  /** `unlock`: a connected site waits for the unlock; it is over with it. */
  readonly kind: 'connect' | 'unlock' | 'operation' | 'standing';
  readonly stage: ApprovalStage;
  /**
   * The wallet is locked, and nothing goes on before the password: not the preparation, not the
   * decision, not the signature.
   */
  readonly needsPassword: boolean;
  /** Scheme, host and port of the asking page, from the browser. */
  readonly origin: string;
  readonly createdAt: number;
  /** Number of approvals that wait behind this one. */
  readonly waiting: number;
  readonly account: AccountView | null;
  readonly network: NetworkView | null;
  /**
   * SHA-256 over the draft and its surroundings, 0x + 64 hex; goes back with the click. `null`
   * until `ready`.
   */
  readonly digest: string | null;
  readonly operation: string | null;
  /** Where the user decides. */
  readonly shownBy: 'window' | 'wizard';
  readonly review: Review | null;
  /**
   * When it was made, Unix seconds. Older than a minute it is prepared again before it can be
   * approved.
   */
  readonly reviewedAt: number | null;
  /** Differences from the review that the user saw first; `null` where it was prepared once. */
  readonly changes: ReviewChanges | null;
  /** After the yes, the account's wallet contract has to approve the hash on layer 1. */
  readonly approvesOnL1: boolean;
  /** The wallet of another extension has to sign as well, and has not yet. */
  readonly asksOtherWallet: boolean;
  /** For `connect`: what the site asks to do, and the accounts that can be chosen. */
  readonly connect: {
    readonly kinds: readonly PermissionKind[];
    readonly accounts: readonly AccountView[];
    /** Ids of those that the site was given before, in its order. */
    readonly granted: readonly string[];
    /** A connected site goes on with accounts of `network`. */
    readonly isSwitch: boolean;
    /** A connected site asks for a permission that it lacks. */
    readonly isMore: boolean;
    /** The site's request that needs this comes next. */
    readonly hasNext: boolean;
  } | null;
  /** The connection or permission for it was approved just before. */
  readonly connectedFirst: boolean;
  /** For `standing`: the limits as they would be counted. */
  readonly standing: { readonly terms: StandingTerms; readonly shown: StandingShown } | null;
  /** Approved before and not signed: why it is asked again. */
  readonly again: Text | null;
  /** Signed before and rejected: what can still come of it. */
  readonly signedBefore: Text | null;
  readonly problem: Text | null;
  /** After approval. */
  readonly result: ActivityItem | null;
}

/** An approval request that waits for an answer, or for its signature. */
export interface QueuedApproval {
  readonly id: string;
  readonly kind: ApprovalView['kind'];
  readonly origin: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly operation: string | null;
  /** Id of the account that it is about; `null` for a connection. */
  readonly account: string | null;
  /**
   * Approved and not carried out yet: when, Unix milliseconds. It can be taken back while nothing
   * is signed.
   */
  readonly approvedAt: number | null;
}

/** Review that an approval request would show, or the wrong field of the intent. */
export interface PreviewView {
  readonly review: Review | null;
  readonly refused: { readonly field: string; readonly problem: Text } | null;
}
