import { afterAll, vi } from 'vitest';
import { endFile } from './atEndOfFile.ts';

/**
 * Takes back what a test file put in place of clocks, globals, environment and methods, and ends
 * what it left running.
 */
export function leaveNothing(): void {
  endFile();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
}

// Files share a process; this runs after their own `afterAll`.
afterAll(leaveNothing);
