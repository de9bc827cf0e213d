import { reported } from '../../report/report.ts';
import { endStandingApprovals } from '../sites/standingApprovals.ts';
import type { Wallet } from '../wallet.ts';

/**
 * Locks now, whoever asks: the user, the machine that sleeps or is left, the browser that starts.
 * @param stopReading - Ends what reads with the keys.
 */
export async function lockWallet(
  wallet: Pick<Wallet, 'locking' | 'ports' | 'standing' | 'vault'>,
  stopReading: () => void,
): Promise<void> {
  // First of all, and without waiting for anything else.
  try {
    await wallet.vault.lock();
  } finally {
    // What is still being read is refused from here on.
    stopReading();
  }
  // Neither waits for the other nor fails the lock: what could not be ended answers nothing, and
  // ends before the next unlock.
  await Promise.all([
    wallet.locking.tell().catch(reported('lock: tell sites')),
    endStandingApprovals(wallet, { withLock: true }, 'lock').catch(reported('lock: end standing approvals')),
  ]);
  wallet.ports.toUi();
}
