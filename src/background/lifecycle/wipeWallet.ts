import { clear } from 'idb-keyval';
import { reportedAs } from '../../report/report.ts';
import type { Ports } from '../ports.ts';
import { WIPING } from '../settings/storedKeys.ts';
import type { Wallet } from '../wallet.ts';
import { TAKEN_OVER } from './takeOver.ts';

/** From here on the next start removes everything, whatever happens in between. */
export const markWipe = ({ local }: Pick<Ports, 'local'>): Promise<void> => local.set({ [WIPING]: true });

/**
 * At each start, before anything else: what a wipe has to remove, and removed not all of when the
 * worker was stopped.
 * @param bare - The wallet over ports without a gate.
 */
export async function finishWipe(ports: Ports, bare: () => Pick<Wallet, 'vault' | 'journal'>): Promise<void> {
  // Only what `markWipe` wrote: a damaged value must not remove anything. A store that fails keeps
  // nobody out; the rest goes at another start.
  if ((await ports.local.get(WIPING).catch(reportedAs('wipe: was one begun', undefined))) !== true) return;
  const { vault, journal } = bare();
  // The keys first: what is left after a stop is public. One store that fails keeps nothing in the
  // others, but the mark stays.
  const wiped = await Promise.allSettled([vault.wipe()]);
  const emptied = await Promise.allSettled([journal.forgetAll(), clear(ports.requestStore)]);
  for (const one of [...wiped, ...emptied]) if (one.status === 'rejected') throw one.reason;
  await ports.clearStorage();
  await ports.local.set({ [TAKEN_OVER]: true });
}
