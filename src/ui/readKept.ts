import { isHomeView, isStartupFacts, startupKeys } from '../messaging/startupFacts.ts';
import type { HomeView, WalletState } from '../messaging/views.ts';
import { DEADLINE_KEY, deadlineInForce, LAST_USE_KEY } from '../vault/lockDeadline.ts';
import { platform } from './platform.ts';

interface Kept {
  readonly state?: WalletState;
  readonly home?: HomeView;
}

/**
 * What the worker kept for its next start, read without waiting for the worker. Empty while nothing
 * is kept, or cannot be read. The key of the unlocked wallet is not read.
 */
export async function readKept(): Promise<Kept> {
  try {
    const {
      [startupKeys.facts]: facts,
      [startupKeys.home]: home,
      [DEADLINE_KEY]: deadline,
      [LAST_USE_KEY]: lastUse,
    } = await platform().storage.session.get([startupKeys.facts, startupKeys.home, DEADLINE_KEY, LAST_USE_KEY]);
    if (!isStartupFacts(facts)) return {};
    const isUnlocked = deadlineInForce(deadline, lastUse, Date.now());
    return { state: { ...facts.state, vault: isUnlocked ? 'unlocked' : 'locked' }, ...(isHomeView(home) && { home }) };
  } catch {
    // The worker reads the same next, and leaves the trace.
    return {};
  }
}
