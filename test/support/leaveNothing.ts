import { afterAll, vi } from 'vitest';
import { listenForReports } from '../../src/report/report.ts';
import { endFile } from './atEndOfFile.ts';

const ownTimeout = globalThis.setTimeout;

/**
 * Takes back what a test file put in place of clocks, globals, environment and methods, and ends
 * what it left running.
 */
export function leaveNothing(): void {
  endFile();
  // What nobody has heard would be told to the next file's listener.
  listenForReports(() => {});
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  if (globalThis.setTimeout === ownTimeout) return;
  globalThis.setTimeout = ownTimeout;
  throw new Error('A spy on a clock that stood still is taken back after the clock: spy on nothing while it does.');
}

// Files share a process; this runs after their own `afterAll`.
afterAll(leaveNothing);
