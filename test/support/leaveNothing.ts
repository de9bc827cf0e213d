import { afterAll, vi } from 'vitest';

/** Takes back what a test file put in place of clocks, globals, environment and methods. */
export function leaveNothing(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
}

// Files share a process; this runs after their own `afterAll`.
afterAll(leaveNothing);
