import type { PermissionKind } from '../../operations/permissionKinds.ts';
import type { TokenFacts } from '../../operations/review.ts';

export type { PermissionKind };

export interface SiteView {
  readonly origin: string;
  readonly grants: readonly { readonly account: string; readonly kinds: readonly PermissionKind[] }[];
  readonly blocked: boolean;
}

/**
 * A standing approval that is in force, with its counters. Volumes in base units of the sold token.
 */
export interface StandingView {
  readonly id: string;
  readonly origin: string;
  readonly account: string;
  /** It answers orders, and not cancellations alone. */
  readonly orders: boolean;
  readonly sell: TokenFacts;
  readonly buy: TokenFacts;
  /** `BASE-QUOTE` */
  readonly market: string;
  readonly side: 'BUY' | 'SELL';
  /** Quote tokens for one base token, decimal text. */
  readonly minPrice: string | null;
  readonly maxPrice: string | null;
  readonly orderVolume: string;
  readonly totalVolume: string;
  /** Signed so far, at worst. */
  readonly soldVolume: string;
  readonly rate: { readonly requests: number; readonly seconds: number };
  /** Signatures within the last `rate.seconds`, and all of them. */
  readonly recent: number;
  readonly count: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly endsWithLock: boolean;
}
