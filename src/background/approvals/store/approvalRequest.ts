import type { PermissionKind } from '../../../messaging/views.ts';
import { digestOf } from '../../../operations/canonicalJson.ts';
import type { Connection, RequestApproval, StoredApproval } from './storedApproval.ts';

/** A page's request as it came. */
export type PageRequestAsked = NonNullable<Connection['next']>;

/** Request of a page, or of the wallet itself, to the user. */
export type ApprovalRequest =
  | (Pick<Connection, 'kind' | 'switchTo' | 'answers' | 'next' | 'account'> & {
      readonly kinds: readonly PermissionKind[];
    })
  | Pick<Extract<StoredApproval, { kind: 'unlock' }>, 'kind'>
  | Pick<RequestApproval, 'kind' | 'operation' | 'account' | 'intent' | 'idempotencyKey'>;

/** Equal pending requests of one origin have the same. */
export const askedDigestOf = (origin: string, request: ApprovalRequest): string =>
  digestOf({ origin, ...request, idempotencyKey: undefined });
