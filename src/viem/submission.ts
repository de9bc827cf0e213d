import type { Hex } from 'viem';
import { finalStatuses, type SubmissionStatus } from './generated/statuses.ts';

export type { SubmissionStatus };

/** Result of every approved and submitted request. */
export interface Submission {
  /** Hash that was signed. */
  readonly hash: Hex;
  /**
   * `awaiting-approval`: the account's wallet contract has to approve `approveHash` on layer 1
   * first.
   */
  readonly status: SubmissionStatus | 'awaiting-approval';
  /**
   * With `awaiting-approval`: the hash to give to `approveTransaction(owner, hash)` of the exchange
   * contract.
   */
  readonly approveHash?: Hex;
  /**
   * With `awaiting-approval`: Unix seconds before which `approveHash` has to be approved. With
   * `failed` or `expired` that is the relayer's word alone: until when it can still carry out what
   * was signed.
   */
  readonly validUntil?: number;
  /** The relayer's own word for it, such as `processing`, where it gave one. */
  readonly relayerStatus?: string;
  /** True when the relayer held the same request already. */
  readonly isIdempotent: boolean;
  /** The wallet's number of the request: for `watchSubmission` and `getReceipt`. */
  readonly requestId: string;
  /** Storage id that the signature uses up, where it uses one. */
  readonly storageId?: number;
}

/** Result of a request that concerns one order. */
export interface OrderSubmission extends Submission {
  /** The client's own id of the order, empty for none. */
  readonly clientOrderId: string;
}

/**
 * Nothing follows this status, unless it is `failed`, `expired` or `refused` with a `validUntil`
 * beside it: that is the relayer's word alone, and another status follows if it carries the request
 * out until then after all. A fill of a `cancelled` order follows only when the user looks for it.
 */
export const isFinalStatus = (status: Submission['status']): boolean => finalStatuses.some((final) => final === status);

/** @param validUntil - Unix seconds. */
export const isAhead = (validUntil = 0): boolean => validUntil * 1000 > Date.now();
