import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { RpcError } from '../errors/rpcError.ts';
import type { PageCaller } from '../sites/sender.ts';
import type { Requests } from './store/requests.ts';
import { isForWindow, type StoredApproval } from './store/storedApproval.ts';

/** Pending approvals that one origin, one tab, the names of one owner, and all sites may leave. */
const MAX_PER_ORIGIN = 10;
const MAX_PER_TAB = 10;
const MAX_PER_OWNER = 15;
const MAX_OF_SITES = 30;

/**
 * The last two labels of an origin's host. An IP address is whole: nothing else ends with a number,
 * and one of version 6 has no dots.
 */
function ownerOf(origin: string): string {
  const host = new URL(origin).hostname.replace(/\.$/, '');
  return /\.\d+$/.test(host) ? host : host.split('.').slice(-2).join('.');
}

function check(waiting: number, most: number, whose: string): void {
  if (waiting >= most) throw new RpcError('limitExceeded', `${most} requests of ${whose} wait for the user already.`);
}

/**
 * Whether one more pending approval is within the bounds, counted from what is stored. What the
 * user asks in the wallet's own pages is counted by itself.
 * @param open - All pending approvals.
 * @throws {RpcError} `limitExceeded`, which says the bound
 */
export async function checkOpenBounds(
  { requests }: { readonly requests: Pick<Requests, 'tabsOf'> },
  { origin, tabId }: PageCaller,
  open: readonly StoredApproval[],
): Promise<void> {
  check(open.filter((approval) => approval.origin === origin).length, MAX_PER_ORIGIN, 'this site');
  if (origin === OWN_ORIGIN) return;
  const ofSites = open.filter(isForWindow);
  check(ofSites.length, MAX_OF_SITES, 'all sites');
  const owner = ownerOf(origin);
  check(ofSites.filter((approval) => ownerOf(approval.origin) === owner).length, MAX_PER_OWNER, `sites of ${owner}`);
  // Fewer approvals cannot reach the bound of a tab, and each read of a request costs time.
  if (ofSites.length < MAX_PER_TAB) return;
  const tabs = await requests.tabsOf(ofSites);
  check(tabs.filter((tab) => tab === tabId).length, MAX_PER_TAB, 'this tab');
}
