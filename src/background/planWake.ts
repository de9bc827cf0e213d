import type { Wallet } from './wallet.ts';

/**
 * Plans when the worker is to be woken: for the next look at an open submission, or to drop the data key at the lock's
 * deadline. A late or lost wake-up harms neither; both are data that the next use compares with the clock.
 */
export async function planWake({ vault, submissions, ports }: Wallet): Promise<void> {
  const lockAt = await vault.lockDeadline();
  if (lockAt === undefined) return;
  ports.wakeAt(Math.min(lockAt, (await submissions.nextDueAt()) ?? lockAt));
}
