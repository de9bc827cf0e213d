/**
 * Runs `work` while holding the lock `name`; others with the same name wait their turn. Not
 * re-entrant. The lock is released when the promise settles, also by a throw.
 */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * The browser's lock manager: shared by all contexts of the extension, released when a context
 * dies.
 */
export const webLock: Lock = async (name, work) => await navigator.locks.request(name, work);
