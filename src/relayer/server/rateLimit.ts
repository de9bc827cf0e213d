import type { SharedRates } from './sharedRates.ts';

/**
 * Requests of one client to one endpoint: at most `perSecond` within any second. The window is a
 * little shorter than a second, so that a client that keeps exactly to the limit is not refused
 * when one of its requests travelled slower. What other processes took counts as well, a moment
 * later; see `SharedRates`.
 */
export interface RateLimit {
  /** Takes one request; `false` when there were too many. */
  take(client: string, endpoint: string, perSecond: number): boolean;
}

const WINDOW_MS = 950;
/**
 * Clients kept at most; the oldest are forgotten first, so that a flood from many addresses
 * cannot fill the memory.
 */
const MAX_CLIENTS = 50_000;

/** @param now - monotonic ms */
export function createRateLimit(now: () => number = () => performance.now(), shared?: SharedRates): RateLimit {
  const recent = new Map<string, number[]>();
  return {
    take: (client, endpoint, perSecond) => {
      const key = `${endpoint} ${client}`;
      const time = now();
      const times = (recent.get(key) ?? []).filter((past) => past > time - WINDOW_MS);
      recent.delete(key);
      const step = WINDOW_MS / perSecond;
      const allowed = times.length < perSecond && (shared?.has(key, step, WINDOW_MS) ?? true);
      if (allowed) {
        times.push(time);
        shared?.take(key, step);
      }
      recent.set(key, times);
      if (recent.size > MAX_CLIENTS) {
        const [oldest] = recent.keys();
        if (oldest !== undefined) recent.delete(oldest);
      }
      return allowed;
    },
  };
}
