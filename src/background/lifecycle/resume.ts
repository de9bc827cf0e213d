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
export async function tidyUp({
  approvals,
  requests,
  ports,
  closing,
  leftPages,
  returnLate,
}: Pick<Wallet, 'approvals' | 'requests' | 'ports' | 'closing' | 'leftPages' | 'returnLate'>): Promise<void> {
  for (const { id } of await approvals.underWay().catch(() => [])) await closing.endFound(id).catch(() => {});
  await leftPages.end().catch(() => {});
  await returnLate().catch(() => {});
  await Promise.all([approvals.trim(ports.now()).catch(() => {}), requests.trim().catch(() => {})]);
  await ports.setBadge((await approvals.open()).length);
}

/**
 * Whenever the wallet is, or becomes, unlocked: what was left is resumed step by step. A lock that came with its deadline is told to
 * pages here.
 */
export async function resumeUnlocked({
  locking,
  vault,
  resumption,
  submissions,
  planWake,
  ports,
}: Pick<Wallet, 'locking' | 'vault' | 'resumption' | 'submissions' | 'planWake' | 'ports'>): Promise<void> {
  await locking.tell().catch(() => {});
  if (!(await vault.isUnlocked())) return;
  // A step that breaks off must not hold up the others; `planWake` comes back to it.
  for (const step of resumption) await step().catch(() => {});
  // A journal that cannot be read now is looked at again at the next wake-up.
  await submissions.checkDue().catch(() => {});
  await planWake();
  ports.toUi();
}

/** Carries out what is approved. */
export async function carryOutApproved({ approvals, carryOut }: Pick<Wallet, 'approvals' | 'carryOut'>): Promise<void> {
  for (const { id, stage } of await approvals.underWay()) if (stage === 'approved') await carryOut(id).catch(() => {});
}
