import type { SubmissionRecord } from '../../../journal/index.ts';
import type { ActivityItem } from '../../../messaging/views.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { approvalIdOf } from '../../submissions/outcome.ts';
import type { Wallet } from '../../wallet.ts';
import { activityItem } from './activityItem.ts';

/** The submissions of one account, under every URL of its exchange, or of all accounts. */
export const recordsOf = (account: StoredAccount | undefined) =>
  account ? { exchangeOf: account.networkId, accountId: account.accountId } : {};

/** The newest of them. */
export async function activity(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'standing'>,
  limit: number,
  account?: StoredAccount,
): Promise<ActivityItem[]> {
  return itemsOf(wallet, await wallet.journal.list({ limit, ...recordsOf(account) }));
}

/** Records with the sentences that were approved. */
export async function itemsOf(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'standing'>,
  records: readonly SubmissionRecord[],
): Promise<ActivityItem[]> {
  const { approvals, config, standing } = wallet;
  const [stored, standingApprovals] = [await config.read(), await standing.list()];
  const sentences = await approvals.sentences(records.map(approvalIdOf));
  return records.map((record) => activityItem(record, sentences.get(approvalIdOf(record)), stored, standingApprovals));
}
