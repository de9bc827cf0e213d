import type { WalletState } from '../../messaging/views.ts';
import { reported } from '../../report/report.ts';
import { endOver } from '../sites/standingApprovals.ts';
import type { Wallet } from '../wallet.ts';

/**
 * At each wake-up and before an unlock, by whatever way; however it was locked: by hand, by the
 * deadline, or with the browser.
 */
export async function tidyStanding(wallet: Pick<Wallet, 'journal' | 'ports' | 'standing' | 'vault'>): Promise<void> {
  // A store that fails keeps nobody out; what could not be ended answers nothing until it is.
  await endOver(wallet).catch(reported('lock: around an unlock'));
}

/** After a vault was made or restored: its journal begins. */
export async function created({ journal }: Pick<Wallet, 'journal'>): Promise<void> {
  // Without it the next start takes records for lost, which costs nothing.
  await journal.begin().catch(reported('lock: around an unlock'));
}

/** After an unlock, by whatever way: the other windows hear of it, and standing work goes on. */
export async function opened(wallet: Pick<Wallet, 'goOn' | 'ports' | 'walletState'>): Promise<WalletState> {
  wallet.ports.toUi();
  const state = await wallet.walletState();
  // Behind what the user waits for.
  wallet.goOn().catch(reported('lock: around an unlock'));
  return state;
}
