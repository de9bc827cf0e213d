import type { PermissionKind } from '../../../messaging/views.ts';
import { digestOf } from '../../../operations/canonicalJson.ts';

/** A page's request as it came. */
export interface PageRequestAsked {
  readonly method: string;
  readonly params: unknown;
}

/** Request of a page, or of the wallet itself, to the user. */
export type ApprovalRequest =
  | {
      readonly kind: 'connect';
      readonly kinds: readonly PermissionKind[];
      /** Network that the site wants to go on with; accounts of it can be chosen. */
      readonly switchTo?: string;
      /** The answer lists the permissions of EIP-2255, not the accounts. */
      readonly answers?: 'permissions';
      /**
       * The request that needs the connection or the permission; it is put to the user next, in the
       * same window.
       */
      readonly next?: PageRequestAsked;
      /** The only account that can be chosen: one that the site sees already. */
      readonly account?: string;
    }
  | { readonly kind: 'unlock' }
  | {
      /** `standing`: a standing approval is asked for; `operation` is its name. */
      readonly kind: 'operation' | 'standing';
      readonly operation: string;
      readonly account: string;
      readonly intent: unknown;
      readonly idempotencyKey?: string;
    };

/** Equal pending requests of one origin have the same. */
export const askedDigestOf = (origin: string, request: ApprovalRequest): string =>
  digestOf({ origin, ...request, idempotencyKey: undefined });
