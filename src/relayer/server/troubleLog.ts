import type { Logger } from 'pino';
import { sqlState } from '../db/port.ts';
import { loggedError } from './loggedError.ts';

const EVERY_MS = 1_000;
/** Causes are few; a text that carries a changing value must not fill the memory. */
const MOST_CAUSES = 100;

/**
 * Logs why requests are refused with a code that names no cause. Each cause comes once a second at
 * most, with the number of those that were left out, because trouble meets every request at once.
 */
export function createTroubleLog(log: Logger): (error: unknown) => void {
  const causes = new Map<string, { at: number; leftOut: number }>();
  return (error) => {
    const { message, details } = loggedError(error);
    const cause = [sqlState(error), message, details].filter(Boolean).join(' ').slice(0, 200);
    const now = performance.now();
    const known = causes.get(cause);
    if (known && now - known.at < EVERY_MS) {
      known.leftOut += 1;
      return;
    }
    if (causes.size >= MOST_CAUSES) causes.clear();
    causes.set(cause, { at: now, leftOut: 0 });
    log.error({ cause, ...(known && { alsoRefused: known.leftOut }) }, 'requests are refused');
  };
}
