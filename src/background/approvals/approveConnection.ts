import { approvalDigest } from '../../operations/approvalDigest.ts';
import { invalidInput, UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import type { Approve } from './store/flow.ts';
import { offers, type ReadyConnection } from './store/storedApproval.ts';

/** The user connects the accounts and permissions that were chosen. */
export async function approveConnection(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'decided' | 'ports'>,
  approval: ReadyConnection,
  decision: Approve,
): Promise<void> {
  const { approvals, config } = wallet;
  const known = (await config.read()).accounts;
  const accounts = known
    .filter((account) => decision.accounts?.includes(account.id) && offers(approval, account))
    .map(({ id }) => id);
  const kinds = approval.kinds.filter((kind) => decision.kinds?.includes(kind) ?? true);
  if (accounts.length === 0) throw invalidInput('accounts');
  let approved = false;
  await approvals.update(decision.id, (current) => {
    if (current.kind !== 'connect' || current.stage !== 'ready') return null;
    approved = decision.digest === current.digest && decision.digest === approvalDigest(current, '');
    return approved
      ? { ...current, stage: 'approved', decidedAt: wallet.ports.now(), chosen: { accounts, kinds } }
      : null;
  });
  if (!approved) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  await wallet.decided(approval);
}
