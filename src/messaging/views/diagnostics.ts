import type { Text } from '../../operations/review.ts';
import type { Trace } from '../../report/report.ts';
import type { SubmissionStatus } from './activity.ts';

/** The journal of an account in numbers, for people who look for a fault. */
export interface Diagnostics {
  readonly cursors: readonly {
    readonly tokenId: number;
    /** `null` for tokens that the relayer no longer lists, and for NFT slots. */
    readonly symbol: string | null;
    readonly parity: 'order' | 'offchain';
    /** Id that the next request gets. */
    readonly next: number;
  }[];
  /** Records by state, most first. */
  readonly states: readonly { readonly status: SubmissionStatus; readonly count: number }[];
}

/** How a relayer answers at the moment. */
export interface RelayerHealth {
  readonly baseUrl: string;
  /** Milliseconds until the answer; `null` when there was none. */
  readonly milliseconds: number | null;
  /**
   * How far this computer's clock is ahead of the relayer's, milliseconds; half of the way there
   * and back is taken off.
   */
  readonly clockAhead: number | null;
  readonly problem: Text | null;
}

/** A failure that the wallet met and survived. */
export interface Failure extends Trace {
  /** When it was met last, Unix milliseconds. */
  readonly at: number;
  /** How often it was met. */
  readonly count: number;
}
