import type { StandingTerms } from '../../operations/standing.ts';
import type { StandingShown } from '../../operations/standingApproval.ts';
import { errorAnswer, unauthorized } from '../errors/rpcError.ts';
import { grantedAccounts } from '../sites/visibleAccounts.ts';
import type { Wallet } from '../wallet.ts';
import type { ApprovedConnection, ApprovedRequest } from './store/storedApproval.ts';

/**
 * Writes the grant, then the answer; both again after a stop between them, with the same outcome.
 */
export async function connect(
  wallet: Pick<Wallet, 'claim' | 'config' | 'connected' | 'grants' | 'ports'>,
  approval: ApprovedConnection,
): Promise<void> {
  const { config, grants, ports } = wallet;
  if ((await wallet.claim(approval.id)) === 'taken-back') return;
  const { accounts, kinds } = approval.chosen;
  // The first account decides on the site's network, so those that it has keep their places.
  const known = [...(await grantedAccounts(wallet, approval.origin)), ...(await config.read()).accounts];
  const ids = [...new Set(known.map(({ id }) => id))].filter((id) => accounts.includes(id));
  if (approval.account === undefined)
    await (approval.switchTo === undefined ? grants.grant : grants.prefer)(approval.origin, ids, kinds, approval.kinds);
  else for (const id of ids) await grants.extend(approval.origin, id, kinds, approval.kinds);
  await wallet.connected(approval);
  ports.toUi();
}

/**
 * Opens the counters, writes the approval, then the answer; all again after a stop between them,
 * with the same outcome.
 */
export async function openStanding(
  wallet: Pick<Wallet, 'claim' | 'endings' | 'rights' | 'standing'>,
  approval: ApprovedRequest,
): Promise<void> {
  const { id, origin, account, draft } = approval;
  if ((await wallet.claim(id)) === 'taken-back') return;
  const terms = draft.body as StandingTerms;
  await wallet.standing.open({ id, origin, account, terms, shown: draft.shown as StandingShown, endsWithLock: true });
  // It was opened before a stop, and may have ended since, such as with the lock.
  if ((await wallet.standing.get(id))?.ended) {
    const answer = errorAnswer(unauthorized('revoked', 'The standing approval has ended.'));
    await wallet.endings.finish(approval, { problem: { key: 'problem_standingEnded' } }, answer);
  } else await wallet.endings.finish(approval, {}, { result: { id, validUntil: terms.validUntil } });
  await wallet.rights.changed(origin);
}
