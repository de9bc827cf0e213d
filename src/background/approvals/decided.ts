import { reported } from '../../report/report.ts';
import type { Wallet } from '../wallet.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/** Carries out what was approved. The site's rate counts the decision, and the badge follows. */
export async function decided(
  { carryOut, badge, requestRate }: Pick<Wallet, 'carryOut' | 'badge' | 'requestRate'>,
  { id, origin }: StoredApproval,
): Promise<void> {
  const done = carryOut(id);
  badge.refreshSoon();
  requestRate.countDecision(origin).catch(reported('approvals: after a decision'));
  await done;
}
