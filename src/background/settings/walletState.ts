import type { WalletState } from '../../messaging/views.ts';
import type { Wallet } from '../wallet.ts';
import { accountView } from './accountView.ts';
import { readableConfig } from './config.ts';

export async function walletState({
  config,
  vault,
  approvals,
}: Pick<Wallet, 'config' | 'vault' | 'approvals'>): Promise<WalletState> {
  const [{ networks, accounts, selectedAccount, settings }, exists, isUnlocked, open] = await Promise.all([
    // What does not answer here must not keep anybody from the unlock and the backup.
    config.read().catch(() => readableConfig(undefined)),
    vault.exists(),
    vault.isUnlocked(),
    approvals.open().catch(() => []),
  ]);
  return {
    vault: !exists ? 'absent' : isUnlocked ? 'unlocked' : 'locked',
    networks,
    accounts: accounts.map(accountView),
    selectedAccount,
    openApprovals: open.length,
    settings,
  };
}
