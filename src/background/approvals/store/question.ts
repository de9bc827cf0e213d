import type { PermissionKind } from '../../../messaging/views.ts';

/** What a page, or the wallet itself, asks of the user. */
export type Question =
  | {
      readonly kind: 'connect';
      readonly kinds: readonly PermissionKind[];
      /** Network that the site wants to go on with; accounts of it can be chosen. */
      readonly switchTo?: string;
      /** The answer lists the permissions of EIP-2255, not the accounts. */
      readonly answers?: 'permissions';
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
