import { digestOf } from './canonicalJson.ts';

/**
 * Content that the digest of an approval covers: everything that the user was shown and that will
 * be signed, and for whom.
 */
interface Approved {
  readonly id: string;
  readonly kind: string;
  readonly origin: string;
  readonly operation?: string | undefined;
  readonly account?: string | undefined;
  readonly draft?: unknown;
  readonly kinds?: readonly string[] | undefined;
  readonly switchTo?: string | undefined;
  /** The request of the site that follows. */
  readonly next?: unknown;
}

/**
 * Computes the digest that the click has to carry back.
 * @param exchangeAddress - Pinned exchange of the account's network; empty for a connection.
 */
export function approvalDigest(approval: Approved, exchangeAddress: string): string {
  const { kind, origin, operation, account, draft, kinds, switchTo, next, id } = approval;
  return digestOf({ id, kind, origin, operation, account, draft, kinds, switchTo, next, exchangeAddress });
}
