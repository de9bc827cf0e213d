import type { Wallet } from './wallet.ts';

/** The number of open questions, where the user sees it. */
export async function refreshBadge({ approvals, ports }: Pick<Wallet, 'approvals' | 'ports'>): Promise<void> {
  await ports.setBadge((await approvals.open()).length);
  ports.toUi();
}
