import { mayAsk } from '../sites/mayAsk.ts';
import { endStandingApprovals } from '../sites/standingApprovals.ts';
import { tellSite } from '../sites/visibility.ts';
import type { Wallet } from '../wallet.ts';
import { closeQuestionsOf, takenAway } from './closeQuestions.ts';
import { refreshBadge } from './refreshBadge.ts';

/**
 * After each change of what an origin may see or do: open questions that it could not ask any more are closed, standing
 * approvals without their permission end, and its pages are told.
 */
export async function grantsChanged(wallet: Wallet, origin: string): Promise<void> {
  const grants = (await wallet.grants.of(origin))?.grants ?? [];
  await closeQuestionsOf(wallet, origin, takenAway(), (approval) => !mayAsk(grants, approval));
  for (const { rule } of await wallet.standing.active({ origin }))
    if (!grants.some(({ account, kinds }) => account === rule.account && kinds.includes('orders')))
      await endStandingApprovals(wallet, { id: rule.id }, 'permission');
  await refreshBadge(wallet);
  await tellSite(wallet, origin);
}
