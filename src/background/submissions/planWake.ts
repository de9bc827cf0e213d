import type { Vault } from '../../vault/index.ts';
import type { Approvals } from '../approvals/store/approvals.ts';
import type { Ports } from '../ports.ts';
import type { StandingApprovals } from '../sites/standingStore.ts';
import type { Submissions } from './submissions.ts';

interface Rooms {
  readonly vault: Pick<Vault, 'lockDeadline'>;
  readonly submissions: Pick<Submissions, 'nextDueAt'>;
  readonly approvals: Pick<Approvals, 'unsettled'>;
  readonly standing: Pick<StandingApprovals, 'list'>;
  readonly ports: Pick<Ports, 'now' | 'wakeAt'>;
}

/** Wait before work that broke off, or is still going on, is taken up again. */
const AGAIN_MS = 10_000;

/** Plans a wake-up when a store cannot be read, because nothing else may ever read it again. */
export const wakeSoon = (ports: Pick<Ports, 'now' | 'wakeAt'>): void => ports.wakeAt(ports.now() + AGAIN_MS);

/**
 * Plans when the worker is to be woken: for approval requests that are not complete or not carried
 * out, for the next check of an open submission, for the end of a standing approval, or to drop the
 * data key at the lock's deadline. Alarms are best effort: every deadline is also compared with the
 * clock at its next use.
 */
export async function planWake({ vault, submissions, approvals, standing, ports }: Rooms): Promise<void> {
  try {
    const lockAt = await vault.lockDeadline();
    if (lockAt === undefined) return;
    const unfinished = (await approvals.unsettled()).some(({ stage }) => stage === 'waiting' || stage === 'approved');
    const lookAt = (await submissions.nextDueAt()) ?? lockAt;
    const now = ports.now();
    const ends = (await standing.list()).flatMap(({ ended, terms }) => (ended ? [] : [terms.validUntil * 1000]));
    const nextEnds = ends.filter((at) => at > now);
    ports.wakeAt(Math.min(lockAt, lookAt, ...nextEnds, unfinished ? now + AGAIN_MS : lockAt));
  } catch {
    // Whoever needs that store next is told.
    wakeSoon(ports);
  }
}
