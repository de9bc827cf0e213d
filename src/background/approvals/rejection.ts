import { reported } from '../../report/report.ts';
import { RpcError } from '../errors/rpcError.ts';
import type { RequestRate } from './store/requestRate.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/**
 * A rejection, counted as the request is closed: the page can ask again as soon as it has the
 * answer.
 */
export const counted =
  ({ requestRate }: { readonly requestRate: RequestRate }) =>
  (closed: StoredApproval): RpcError => {
    // The cool-down is a convenience; the answer must reach the page also when it cannot be stored.
    requestRate.countRejection(closed.origin).catch(reported('approvals: after a decision'));
    requestRate.countDecision(closed.origin).catch(reported('approvals: after a decision'));
    return rejection(closed);
  };

/**
 * The user's no to what could not be shown is a no too: a page that took it for an outage would ask
 * again at once.
 */
function rejection({ problem }: StoredApproval): RpcError {
  return problem
    ? new RpcError('rejected', 'The user closed the request, which could not be shown. Nothing was signed.', {
        reason: 'unavailable',
      })
    : new RpcError('rejected', 'The user rejected the request.');
}
