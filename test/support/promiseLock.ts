import type { Lock } from '../../src/storage/lock.ts';

/**
 * The browser's lock manager for tests: one queue for each name, released when the work settles.
 */
export function createPromiseLock(): Lock {
  const tails = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = tails.get(name) ?? Promise.resolve();
    const run = before.then(work);
    tails.set(
      name,
      run.catch(() => {}),
    );
    return run;
  };
}
