import { metElsewhere } from '../../report/report.ts';
import type { PageDocument } from '../sites/sender.ts';
import type { Wallet } from '../wallet.ts';
import { blocked } from './answerPages.ts';
import { checkOpenBounds } from './openBounds.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/**
 * Pending approvals whose pages went unheard take nobody's place.
 * @returns What is pending.
 * @throws {RpcError} `limitExceeded`
 */
async function withinBounds(
  { approvals, requests, leftPages }: Pick<Wallet, 'approvals' | 'leftPages' | 'requests'>,
  caller: PageDocument,
  open: readonly StoredApproval[],
): Promise<readonly StoredApproval[]> {
  try {
    await checkOpenBounds({ requests }, caller, open);
    return open;
  } catch {
    // Only a full queue asks the pages whether they are still there; the second check throws for
    // good.
    await leftPages.end({ isAwaited: true });
    const left = await approvals.open();
    await checkOpenBounds({ requests }, caller, left);
    return left;
  }
}

/**
 * Whether a site may ask now.
 * @returns `null` when this request id was asked before; else its rate, and what is pending.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function admit(
  wallet: Pick<Wallet, 'approvals' | 'grants' | 'leftPages' | 'requestRate' | 'requests'>,
  caller: PageDocument,
  requestId: string,
  createdAt: number,
) {
  const { approvals, requests, grants, requestRate } = wallet;
  const { origin } = caller;
  const rating = requestRate.countRequest(origin, createdAt);
  // Awaited below; a request that is known or of a blocked site does not wait for it.
  rating.catch(metElsewhere);
  const [known, open, site] = await Promise.all([
    requests.find(origin, requestId),
    approvals.open(),
    grants.of(origin),
  ]);
  if (known) return null;
  if (site?.blocked) throw blocked();
  const rate = await rating;
  return { rate, open: await withinBounds(wallet, caller, open) };
}
