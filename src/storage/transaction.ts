import { promisifyRequest, type UseStore } from 'idb-keyval';
import { metElsewhere } from '../report/report.ts';

/**
 * Runs `work` in one write transaction: all of it is stored afterwards, or nothing, also when
 * `work` throws after a write. `work` may only wait for requests of its own store, else the
 * transaction ends under it.
 */
export async function inTransaction<T>(store: UseStore, work: (objects: IDBObjectStore) => Promise<T>): Promise<T> {
  return store('readwrite', async (objects) => {
    const committed = promisifyRequest(objects.transaction);
    // The rejection is awaited below, unless `work` throws first.
    committed.catch(metElsewhere);
    let result: T;
    try {
      result = await work(objects);
    } catch (error) {
      try {
        objects.transaction.abort();
      } catch {
        metElsewhere();
        // It has ended already, by the very failure that is being thrown.
      }
      throw error;
    }
    await committed;
    return result;
  });
}

/** All text keys that begin so. */
export const keysUnder = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`);
