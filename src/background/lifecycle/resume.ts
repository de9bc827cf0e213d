import { endAllFound } from '../approvals/endFound.ts';
import { endLeft } from '../approvals/leftPages.ts';
import { prepareWaiting } from '../approvals/prepareApproval.ts';
import { returnLate } from '../approvals/putBack.ts';
import { answerUnlocks } from '../approvals/unlockQuestions.ts';
import { finishRotations } from '../keyUpdate/rotation.ts';
import { endExpired } from '../sites/standingApprovals.ts';
import { tellLock } from '../sites/tellLock.ts';
import { planWake } from '../submissions/planWake.ts';
import type { Wallet } from '../wallet.ts';

/**
 * At each start of the worker, before anything is answered: what was reserved and never signed is closed; nothing is
 * sent yet, because that may need the password.
 */
export async function resumeStored({ journal }: Pick<Wallet, 'journal'>): Promise<void> {
  // A full disk must not keep the wallet from answering. What stays reserved is never signed, and is closed at another start.
  await journal.resume().catch(() => {});
}

/** At each start, behind what woke the worker: what no page waits for any more is ended, what was approved too long ago is put back, what is old is forgotten, and the badge counts what is open. */
export async function tidyUp(wallet: Wallet): Promise<void> {
  const { approvals, requests, ports } = wallet;
  await endAllFound(wallet).catch(() => {});
  await endLeft(wallet).catch(() => {});
  await returnLate(wallet).catch(() => {});
  await Promise.all([approvals.trim(ports.now()).catch(() => {}), requests.trim().catch(() => {})]);
  await ports.setBadge((await approvals.open()).length);
}

/**
 * Whenever the wallet is, or becomes, unlocked: approved questions go on or are put back, waiting ones are completed, open submissions
 * looked at. A lock that came with its deadline is told to pages here.
 */
export async function resumeUnlocked(wallet: Wallet): Promise<void> {
  const { approvals, vault, submissions, ports } = wallet;
  await tellLock(wallet).catch(() => {});
  if (!(await vault.isUnlocked())) return;
  await answerUnlocks(wallet).catch(() => {});
  await finishRotations(wallet).catch(() => {});
  // One that breaks off must not hold up the others; `planWake` comes back to it.
  const carryOut = async () => {
    for (const { id, stage } of await approvals.underWay().catch(() => []))
      if (stage === 'approved') await wallet.carryOut(id).catch(() => {});
  };
  await endExpired(wallet).catch(() => {});
  await carryOut();
  await prepareWaiting(wallet).catch(() => {});
  // What a standing approval answered just now.
  await carryOut();
  // A journal that cannot be read now is looked at again at the next wake-up.
  await submissions.checkDue().catch(() => {});
  await planWake(wallet);
  ports.toUi();
}
