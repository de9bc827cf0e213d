import type { StandingTerms } from '../../operations/standing.ts';
import type { StandingShown } from '../../operations/standingApproval.ts';
import { permissionsOf } from '../sites/permissionsOf.ts';
import { ownersSeen } from '../sites/visibleAccounts.ts';
import type { Wallet } from '../wallet.ts';
import type { ApprovedConnection, ApprovedRequest } from './store/storedApproval.ts';

/** Writes the grant, then the answer; both again after a stop between them, with the same outcome. */
export async function connect(
  wallet: Pick<Wallet, 'claim' | 'config' | 'connected' | 'grants' | 'ports'>,
  approval: ApprovedConnection,
): Promise<void> {
  const { config, grants, ports } = wallet;
  if ((await wallet.claim(approval.id)) === 'taken-back') return;
  const { accounts, kinds } = approval.chosen;
  const known = (await config.read()).accounts.filter(({ id }) => accounts.includes(id));
  const ids = known.map(({ id }) => id);
  if (approval.account === undefined)
    await (approval.switchTo === undefined ? grants.grant : grants.prefer)(approval.origin, ids, kinds);
  else for (const id of ids) await grants.extend(approval.origin, id, kinds);
  await wallet.connected(approval);
  ports.toUi();
}

/** Answers the pages of a connection, or goes on with the request that it was for. */
export async function connected(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'continueRequest' | 'finish' | 'grants' | 'rights'>,
  approval: ApprovedConnection,
): Promise<void> {
  const { origin, answers, switchTo, next } = approval;
  if (next === undefined) {
    const answer = answers === 'permissions' ? permissionsOf : ownersSeen;
    const result = switchTo === undefined ? await answer(wallet, origin) : null;
    await wallet.finish(approval, {}, { result });
  }
  await wallet.rights.changed(origin);
  if (next !== undefined) await wallet.continueRequest(approval);
  // What else the site asked for may have waited for the same.
  for (const other of await wallet.approvals.open())
    if (other.kind === 'connect' && other.origin === origin && other.next) await wallet.continueRequest(other);
}

/** Opens the counters, writes the rule, then the answer; all again after a stop between them, with the same outcome. */
export async function openStanding(
  wallet: Pick<Wallet, 'claim' | 'finish' | 'ports' | 'rights' | 'standing'>,
  approval: ApprovedRequest,
): Promise<void> {
  const { id, origin, account, draft } = approval;
  if ((await wallet.claim(id)) === 'taken-back') return;
  const terms = draft.body as StandingTerms;
  await wallet.standing.open({ id, origin, account, terms, shown: draft.shown as StandingShown, endsWithLock: true });
  await wallet.finish(approval, {}, { result: { id, validUntil: terms.validUntil } });
  await wallet.rights.changed(origin);
  wallet.ports.toUi();
}
