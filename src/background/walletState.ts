import type { WalletState } from '../messaging/views.ts';
import type { Vault } from '../vault/index.ts';
import { accountView } from './accountView.ts';
import type { Config } from './config.ts';

/** Where the state of the wallet stands; the whole wallet, or what a cold worker reads before the rest is loaded. */
export interface StateSources {
  readonly config: Pick<Config, 'read'>;
  readonly vault: Pick<Vault, 'exists' | 'isUnlocked'>;
  readonly approvals: { open(): Promise<readonly unknown[]> };
}

export async function walletState({ config, vault, approvals }: StateSources): Promise<WalletState> {
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
