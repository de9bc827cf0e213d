import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import { updateAccountKey } from '../../operations/updateAccountKey.ts';
import type { Approvals } from '../approvals/store/approvals.ts';
import type { StoredApproval } from '../approvals/store/storedApproval.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';

export const OPERATION = updateAccountKey.name;

/** Key updates of an account, newest first. */
export async function keyUpdates(
  { journal }: { readonly journal: Pick<Journal, 'list'> },
  { networkId, accountId }: Pick<StoredAccount, 'networkId' | 'accountId'>,
): Promise<SubmissionRecord[]> {
  return journal.list({ networkId, accountId, operation: OPERATION });
}

/** The newest approval request of a key update that the user or a site has under way for an account. */
export async function openRotation(
  { approvals }: { readonly approvals: Pick<Approvals, 'underWay'> },
  account: string,
): Promise<StoredApproval | undefined> {
  return (await approvals.underWay()).findLast((one) => one.operation === OPERATION && one.account === account);
}
