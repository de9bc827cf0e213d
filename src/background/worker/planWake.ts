import type { Wallet } from '../wallet.ts';

/** Wait before work that broke off, or is still going on, is looked at again. */
const AGAIN_MS = 10_000;

/**
 * Plans when the worker is to be woken: for questions that are not complete or not carried out, for the next look at an open
 * submission, or to drop the data key at the lock's deadline. A late or lost wake-up harms none of these; they are data that the
 * next use compares with the clock.
 */
export async function planWake({ vault, submissions, approvals, ports }: Wallet): Promise<void> {
  const lockAt = await vault.lockDeadline();
  if (lockAt === undefined) return;
  const unfinished = (await approvals.underWay()).some(({ stage }) => stage === 'waiting' || stage === 'approved');
  const lookAt = (await submissions.nextDueAt()) ?? lockAt;
  ports.wakeAt(Math.min(lockAt, lookAt, unfinished ? ports.now() + AGAIN_MS : lockAt));
}
