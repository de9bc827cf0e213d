import { reported } from '../../report/report.ts';
import type { Vault } from '../../vault/index.ts';
import type { AccountKeys } from '../keys/accountKeys.ts';
import type { Ports } from '../ports.ts';
import { endStandingApprovals } from '../sites/standingApprovals.ts';
import type { StandingApprovals } from '../sites/standingStore.ts';
import { type Lockable, tellLock } from '../sites/tellLock.ts';

interface Rooms extends Lockable {
  readonly vault: Pick<Vault, 'lock' | 'isUnlocked'>;
  readonly accountKeys: Pick<AccountKeys, 'forgetAhead'>;
  readonly standing: StandingApprovals;
  readonly ports: Lockable['ports'] & Pick<Ports, 'toUi'>;
  readonly follow: { stop(): void };
  readonly subscriptions: { lock(): void };
}

/** Locks now, whoever asks: the user, the machine that sleeps or is left, the browser that starts. */
export async function lockWallet(wallet: Rooms): Promise<void> {
  // First of all, and without waiting for anything else.
  try {
    await wallet.vault.lock();
  } finally {
    // What is still being read is refused from here on.
    wallet.accountKeys.forgetAhead();
    wallet.follow.stop();
    wallet.subscriptions.lock();
  }
  // Neither waits for the other, and what fails for pages holds nothing up.
  await Promise.all([
    tellLock(wallet).catch(reported('lock: tell sites')),
    endStandingApprovals(wallet, { withLock: true }, 'lock'),
  ]);
  wallet.ports.toUi();
}
