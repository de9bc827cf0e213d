import type { UseStore } from 'idb-keyval';

/** Thrown by a store that was told to fail. */
class InjectedFault extends Error {
  override readonly name: string;
  constructor(name = 'InjectedFault') {
    super('injected fault');
    this.name = name;
  }
}

/**
 * Where a write transaction breaks.
 * - `before`: it never starts. `put-N`: its Nth put or add throws, as a full quota can. `abort`:
 *   the first write was made when the transaction is aborted, as at a crash. `after`: it is on
 *   disk, but the writer never hears of it.
 */
export type FaultPoint = 'before' | `put-${number}` | 'abort' | 'after';

/**
 * Wraps a store; `failNext` breaks the next write transaction once, real IndexedDB semantics apply
 * to all else.
 */
export function createFaultyStore(inner: UseStore, errorName?: string) {
  let next: FaultPoint | undefined;
  let writes = 0;
  const store: UseStore = async (mode, callback) => {
    if (mode === 'readonly') return inner(mode, callback);
    writes++;
    const fault = next;
    next = undefined;
    if (fault === 'before') throw new InjectedFault(errorName);
    let puts = 0;
    const result = await inner(mode, async (objects) => {
      const proxy = new Proxy(objects, {
        get(target, property) {
          const value = Reflect.get(target, property, target);
          if (typeof value !== 'function') return value;
          if (property !== 'put' && property !== 'add') return value.bind(target);
          return (...parameters: unknown[]) => {
            if (fault === `put-${++puts}`) throw new InjectedFault(errorName);
            const request = value.apply(target, parameters);
            if (fault === 'abort' && puts === 1) request.onsuccess = () => objects.transaction.abort();
            return request;
          };
        },
      });
      return callback(proxy);
    });
    if (fault === 'after') throw new InjectedFault(errorName);
    return result;
  };
  return {
    store,
    failNext: (point: FaultPoint | undefined) => {
      next = point;
    },
    /** Write transactions started so far. */
    writeCount: () => writes,
  };
}
