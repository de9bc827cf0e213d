import { HOUR_MS } from '../../protocol/time.ts';
import { report, reported, reportedAs } from '../../report/report.ts';
import { takeBack } from '../approvals/putBack.ts';
import { ageAt } from '../relayers/age.ts';
import { wakeSoon } from '../submissions/planWake.ts';
import type { Wallet } from '../wallet.ts';

/**
 * Notes that the browser has lost the journal: Chromium deletes all databases of an origin when one
 * file of them is damaged, and the second copy of the vault stays. What was signed is as unknown
 * then as after a restored backup, and what was approved last may be signed already.
 */
export async function noteLostJournal(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'ports' | 'vault'>,
): Promise<void> {
  const { approvals, config, journal, ports, vault } = wallet;
  if ((await journal.isBegun()) || !(await vault.exists())) return;
  await config.update((data) => ({ ...data, restoredAt: ports.now(), isUndated: true }));
  for (const approval of await approvals.unsettled())
    if (approval.kind === 'operation') await takeBack(wallet, approval, 'recordsLost');
  await journal.begin();
}

/**
 * At each start of the worker, before anything is answered: what was reserved and never signed is
 * closed; nothing is sent yet, because that may need the password.
 */
export async function resumeStored(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'ports' | 'vault'>,
): Promise<void> {
  // A full disk must not keep the wallet from answering. What stays reserved is never signed, and
  // is closed at another start.
  const resumed = [noteLostJournal(wallet), wallet.journal.resume()];
  await Promise.all(resumed.map((one) => one.catch(reported('worker: resume'))));
}

async function forgetOld({
  approvals,
  requests,
  ports,
}: Pick<Wallet, 'approvals' | 'requests' | 'ports'>): Promise<void> {
  await approvals.trim(ports.now()).catch(reported('worker: resume'));
  await requests.trim(ports.now(), approvals.kept).catch(reported('worker: resume'));
}

/** Forgets what is old once an hour, because a busy site keeps a worker alive for days. */
export function createForgetHourly(wallet: Parameters<typeof forgetOld>[0]): () => Promise<void> {
  const { ports } = wallet;
  let last = ports.now();
  return async () => {
    if (ageAt(ports.now(), last) < HOUR_MS) return;
    last = ports.now();
    await forgetOld(wallet);
  };
}

/**
 * At each start, behind what woke the worker: what no page waits for any more is ended, what was
 * approved too long ago is put back, what is old is forgotten, and the badge counts what is open.
 */
export async function tidyUp({
  approvals,
  requests,
  ports,
  closing,
  leftPages,
  returnLate,
}: Pick<Wallet, 'approvals' | 'requests' | 'ports' | 'closing' | 'leftPages' | 'returnLate'>): Promise<void> {
  for (const { id } of await approvals.unsettled().catch(reportedAs('worker: resume', [])))
    await closing.endFound(id).catch(reported('worker: resume'));
  // Not waited for: a page may take long to answer.
  const left = leftPages.end().catch(reported('worker: resume'));
  await returnLate().catch(reported('worker: resume'));
  await forgetOld({ approvals, requests, ports });
  await ports.setBadge((await approvals.open()).length);
  await left;
}

/** Wait for a worker that is stopped meanwhile: the alarm that started it is used up. */
const STOPPED_MS = 60_000;

/**
 * Whenever the wallet is, or becomes, unlocked: what was left is resumed step by step. A lock that
 * came with its deadline is told to pages here. An alarm rings once, so the next wake-up is planned
 * here, also where a store cannot be read now: first for a browser that stops a worker while it
 * waits for relayers, and anew at the end.
 * @param steps - In this order.
 */
export async function resumeUnlocked(
  { locking, vault, planWake, ports }: Pick<Wallet, 'locking' | 'vault' | 'planWake' | 'ports'>,
  steps: readonly (() => Promise<void>)[],
): Promise<void> {
  await locking.tell().catch(reported('worker: resume'));
  await locking.tidyStanding();
  try {
    const lockAt = await vault.lockDeadline();
    if (lockAt === undefined) return ports.toUi();
    ports.wakeAt(Math.min(lockAt, ports.now() + STOPPED_MS));
  } catch (error) {
    report('worker: resume', error);
    return wakeSoon(ports);
  }
  // A step that breaks off must not hold up the others; `planWake` comes back to it.
  for (const step of steps) await step().catch(reported('worker: resume'));
  await planWake();
  ports.toUi();
}
