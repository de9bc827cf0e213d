import { reported, reportedAs } from '../../report/report.ts';
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
export async function finishWipe(ports: Ports, bare: () => Pick<Wallet, 'vault'>): Promise<void> {
  // Only what `markWipe` wrote: a damaged value must not remove anything. A store that fails keeps
  // nobody out; the rest goes at another start.
  if ((await ports.local.get(WIPING).catch(reportedAs('wipe: was one begun', undefined))) !== true) return;
  // The keys first: what is left after a stop is public. What fails here is tried again below.
  await bare().vault.wipe().catch(reported('wipe: the vault'));
  await ports.clearStorage();
  await ports.local.set({ [TAKEN_OVER]: true });
}
