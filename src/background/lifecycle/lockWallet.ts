import { endStandingApprovals } from '../sites/standingApprovals.ts';
import { tellLock } from '../sites/tellLock.ts';
import type { Wallet } from '../wallet.ts';

/** Locks now, whoever asks: the person, the machine that sleeps or is left, the browser that starts. */
export async function lockWallet(wallet: Wallet): Promise<void> {
  // First of all, and without waiting for anything else.
  try {
    await wallet.vault.lock();
  } finally {
    // What is still being read is refused from here on.
    wallet.accountKeys.forgetAhead();
  }
  // Neither waits for the other, and what fails for pages holds nothing up.
  await Promise.all([tellLock(wallet).catch(() => {}), endStandingApprovals(wallet, { withLock: true }, 'lock')]);
  wallet.ports.toUi();
}
