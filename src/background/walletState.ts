import type { WalletState } from '../messaging/views.ts';
import { accountView } from './accountView.ts';
import type { Wallet } from './wallet.ts';

export async function walletState({
  config,
  vault,
  approvals,
}: Pick<Wallet, 'config' | 'vault' | 'approvals'>): Promise<WalletState> {
  const [{ networks, accounts, selectedAccount, settings }, exists, isUnlocked, open] = await Promise.all([
    config.read(),
    vault.exists(),
    vault.isUnlocked(),
    approvals.open(),
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
