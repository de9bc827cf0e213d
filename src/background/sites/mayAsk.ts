import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { SiteView } from '../../messaging/views.ts';
import { findApprovable } from '../../operations/index.ts';
import type { StoredApproval } from '../approvals/store/storedApproval.ts';

/**
 * Whether an origin with these grants could ask for an approval now. A connection, which names no
 * operation, needs none; waiting for the unlock needs any.
 */
export function mayAsk(
  grants: SiteView['grants'],
  { kind, origin, operation, account }: Pick<StoredApproval, 'kind' | 'origin' | 'operation' | 'account'>,
): boolean {
  if (kind === 'unlock') return grants.length > 0;
  if (origin === OWN_ORIGIN || operation === undefined) return true;
  const granted = grants.find((grant) => grant.account === account)?.kinds ?? [];
  // Of one that only another version of the wallet has, nothing is known.
  const permission = findApprovable(operation)?.permission;
  return permission !== undefined && granted.includes(permission);
}
