import type { SiteView } from '../../messaging/views.ts';
import { RpcError } from '../errors/rpcError.ts';
import { mayAsk } from '../sites/mayAsk.ts';
import { endStandingApprovals } from '../sites/standingApprovals.ts';
import { tellSite } from '../sites/visibility.ts';
import type { Wallet } from '../wallet.ts';
import { takenAway } from './closePending.ts';

type SiteRooms = Pick<Wallet, 'config' | 'grants' | 'standing' | 'closing' | 'badge' | 'ports'>;

const allowsStanding = (grants: SiteView['grants'], approval: { readonly account: string }): boolean =>
  grants.some(({ account, kinds }) => account === approval.account && kinds.includes('orders'));

/**
 * After each change of what an origin may see or do: standing approvals without their permission
 * end, pending approvals that it could not ask any more are closed, and its pages are told.
 */
export async function grantsChanged(rooms: SiteRooms, origin: string): Promise<void> {
  const grants = (await rooms.grants.of(origin))?.grants ?? [];
  for (const { approval } of await rooms.standing.active({ origin }))
    if (!allowsStanding(grants, approval)) await endStandingApprovals(rooms, { id: approval.id }, 'permission');
  await rooms.closing.closeOf(origin, takenAway(), (approval) => !mayAsk(grants, approval));
  await rooms.badge.refresh();
  await tellSite(rooms, origin);
}

/**
 * At each start, before anything is answered: what follows from a change of rights after which the
 * last worker stopped. A site that was disconnected would otherwise have its standing approvals
 * back once it is connected. What is left of a blocked site ends when it is unblocked, and what was
 * approved of it, when it would be carried out.
 */
export async function finishRightsChanges({
  approvals,
  grants,
  rights,
  standing,
}: Pick<Wallet, 'approvals' | 'grants' | 'rights' | 'standing'>): Promise<void> {
  const [active, unsettled, sites] = await Promise.all([standing.active(), approvals.listed(), grants.list()]);
  const standingOf = active.map(({ approval }) => approval);
  for (const origin of new Set([...standingOf, ...unsettled].map((one) => one.origin))) {
    const site = sites.find((one) => one.origin === origin);
    if (site?.blocked) continue;
    const given = site?.grants ?? [];
    const isLeft =
      standingOf.some((one) => one.origin === origin && !allowsStanding(given, one)) ||
      unsettled.some((one) => one.origin === origin && !mayAsk(given, one));
    if (isLeft) await rights.changed(origin);
  }
}

/** Ends the standing approvals of a site that is blocked, which hears nothing of it. */
const endStandingUnheard = ({ standing }: Pick<SiteRooms, 'standing'>, origin: string) =>
  standing.end((approval) => approval.origin === origin, 'permission');

/**
 * The site sees no account and gets no answer. First of all, whatever follows: should the worker
 * stop after this, the site can do nothing with what is left.
 */
export async function silenceSite(rooms: Pick<SiteRooms, 'grants' | 'standing'>, origin: string): Promise<void> {
  await rooms.grants.setBlocked(origin, true);
  await endStandingUnheard(rooms, origin);
}

/**
 * Its standing approvals end for good, and so does everything of which nothing is signed. A blocked
 * site hears of neither.
 */
async function endAll(rooms: SiteRooms, origin: string): Promise<void> {
  await endStandingUnheard(rooms, origin);
  await rooms.closing.closeOf(origin, new RpcError('rejected', 'The user blocked this site.'));
}

/** Ends what a site that was just silenced had in progress. */
export async function blockSite(rooms: SiteRooms, origin: string): Promise<void> {
  await endAll(rooms, origin);
  await grantsChanged(rooms, origin);
}

/**
 * The site sees again what was granted before; what a worker that stopped had left of its standing
 * approvals ends first.
 */
export async function unblockSite(rooms: SiteRooms, origin: string): Promise<void> {
  await endAll(rooms, origin);
  await rooms.grants.setBlocked(origin, false);
  await grantsChanged(rooms, origin);
}
