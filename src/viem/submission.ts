import type { Hex } from 'viem';

/** Where a request of the site stands. `unknown`: signed, and no answer of the relayer yet; the wallet finds out. */
export type SubmissionStatus =
  | 'pending'
  | 'approved'
  | 'reserved'
  | 'unknown'
  | 'acknowledged'
  | 'processed'
  | 'cancelled'
  | 'expired'
  | 'failed'
  | 'refused'
  | 'abandoned'
  | 'closed';

/** What every approved and submitted request answers. */
export interface Submission {
  /** Hash that was signed. */
  readonly hash: Hex;
  /** The relayer's word for it, such as `processing`. */
  readonly status: string;
  /** True when the relayer held the same request already. */
  readonly isIdempotent: boolean;
  /** The wallet's number of the request: for `watchSubmission` and `getReceipt`. */
  readonly requestId: string;
  /** Storage id that the signature uses up, where it uses one. */
  readonly storageId?: number;
}

const final: readonly SubmissionStatus[] = [
  'processed',
  'cancelled',
  'expired',
  'failed',
  'refused',
  'abandoned',
  'closed',
];

/** Nothing follows this status. */
export const isFinalStatus = (status: SubmissionStatus): boolean => final.includes(status);
