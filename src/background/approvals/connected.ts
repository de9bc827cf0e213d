import { permissionsOf } from '../sites/permissionsOf.ts';
import { ownersSeen } from '../sites/visibleAccounts.ts';
import type { Wallet } from '../wallet.ts';
import type { ApprovedConnection } from './store/storedApproval.ts';

/** Answers the pages of a connection, or goes on with the request that it was for. */
export async function connected(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'continueRequest' | 'endings' | 'grants' | 'rights'>,
  approval: ApprovedConnection,
): Promise<void> {
  const { origin, answers, switchTo, next } = approval;
  if (next === undefined) {
    const answer = answers === 'permissions' ? permissionsOf : ownersSeen;
    const result = switchTo === undefined ? await answer(wallet, origin) : null;
    await wallet.endings.finish(approval, {}, { result });
  }
  await wallet.rights.changed(origin);
  if (next !== undefined) await wallet.continueRequest(approval);
  // What else the site asked for may have waited for the same.
  for (const other of await wallet.approvals.open())
    if (other.kind === 'connect' && other.origin === origin && other.next) await wallet.continueRequest(other);
}
