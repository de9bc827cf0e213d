import type { WalletState } from '../../messaging/views.ts';
import { reportedAs } from '../../report/report.ts';
import type { Vault } from '../../vault/index.ts';
import { accountView } from './accountView.ts';
import { type Config, readableConfig } from './config.ts';

interface Rooms {
  readonly config: Pick<Config, 'read'>;
  readonly vault: Pick<Vault, 'exists' | 'isUnlocked'>;
  /** Pending ones. */
  readonly approvals: { open(): Promise<readonly unknown[]> };
}

export async function walletState({ config, vault, approvals }: Rooms): Promise<WalletState> {
  const [stored, exists, isUnlocked, open] = await Promise.all([
    // What does not answer here must not keep anybody from the unlock and the backup.
    config.read().catch(reportedAs('settings: read', undefined)),
    vault.exists(),
    vault.isUnlocked(),
    approvals.open().catch(reportedAs('approvals: read', [])),
  ]);
  const { networks, accounts, selectedAccount, settings } = stored ?? readableConfig(undefined);
  return {
    ...(stored ? {} : { isUnread: true }),
    vault: !exists ? 'absent' : isUnlocked ? 'unlocked' : 'locked',
    networks,
    accounts: accounts.map(accountView),
    selectedAccount,
    openApprovals: open.length,
    settings,
  };
}
