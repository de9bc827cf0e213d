import { RpcError } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import type { Grants } from '../sites/grants.ts';
import { mayAsk } from '../sites/mayAsk.ts';
import { endStandingApprovals } from '../sites/standingApprovals.ts';
import type { StandingApprovals } from '../sites/standingStore.ts';
import { type Tellable, tellSite } from '../sites/visibility.ts';
import type { Answerable } from './answerPages.ts';
import { type Closable, closeQuestionsOf, takenAway } from './closeQuestions.ts';
import { refreshBadge } from './refreshBadge.ts';
import type { Approvals } from './store/approvals.ts';

/** What a change of a site's rights reaches. */
interface SiteRooms extends Closable, Answerable, Tellable {
  readonly grants: Grants;
  readonly standing: StandingApprovals;
  readonly approvals: Approvals;
  readonly ports: Ports;
}

/**
 * After each change of what an origin may see or do: open questions that it could not ask any more are closed, standing
 * approvals without their permission end, and its pages are told.
 */
export async function grantsChanged(rooms: SiteRooms, origin: string): Promise<void> {
  const grants = (await rooms.grants.of(origin))?.grants ?? [];
  await closeQuestionsOf(rooms, origin, takenAway(), (approval) => !mayAsk(grants, approval));
  for (const { rule } of await rooms.standing.active({ origin }))
    if (!grants.some(({ account, kinds }) => account === rule.account && kinds.includes('orders')))
      await endStandingApprovals(rooms, { id: rule.id }, 'permission');
  await refreshBadge(rooms);
  await tellSite(rooms, origin);
}

/** Ends the standing approvals of a site that is blocked. */
export const endStandingUnheard = ({ standing }: Pick<SiteRooms, 'standing'>, origin: string) =>
  standing.end((rule) => rule.origin === origin, 'permission');

/** Its standing approvals end for good, and so does everything of which nothing is signed. A blocked site hears of neither. */
async function endAll(rooms: SiteRooms, origin: string): Promise<void> {
  await endStandingUnheard(rooms, origin);
  await closeQuestionsOf(rooms, origin, new RpcError('rejected', 'The user blocked this site.'));
}

/** Blocks a site: it sees no account and gets no answer, and what it had under way ends. */
export async function blockSite(rooms: SiteRooms, origin: string): Promise<void> {
  // First of all: should the worker stop after this, the site can do nothing with what is left.
  await rooms.grants.setBlocked(origin, true);
  await endAll(rooms, origin);
  await grantsChanged(rooms, origin);
}

/** The site sees again what was granted before; what a worker that stopped had left of its standing approvals ends first. */
export async function unblockSite(rooms: SiteRooms, origin: string): Promise<void> {
  await endAll(rooms, origin);
  await rooms.grants.setBlocked(origin, false);
  await grantsChanged(rooms, origin);
}
