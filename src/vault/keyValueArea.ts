import { delMany, getMany, setMany, type UseStore } from 'idb-keyval';

/** A store of named values: `storage.local`, `storage.session`, or a database. A `set` of several is one write. */
export interface KeyValueArea {
  get(key: string): Promise<unknown>;
  set(entries: Record<string, unknown>): Promise<void>;
  remove(keys: string[]): Promise<void>;
}

/**
 * Reads of single values, those of one turn in one read of the store: a question needs a dozen, and each read by itself costs the
 * worker and the browser about a millisecond.
 * @param readMany - Values in the order of the keys.
 */
export function readTogether(
  readMany: (keys: string[]) => Promise<readonly unknown[]>,
): (key: string) => Promise<unknown> {
  let turn: { readonly keys: string[]; readonly values: Promise<readonly unknown[]> } | undefined;
  return async (key) => {
    if (turn === undefined) {
      const keys: string[] = [];
      const values = Promise.resolve().then(() => {
        turn = undefined;
        return readMany(keys);
      });
      turn = { keys, values };
    }
    const { keys, values } = turn;
    const index = keys.includes(key) ? keys.indexOf(key) : keys.push(key) - 1;
    return (await values)[index];
  };
}

/** An IndexedDB store seen as an area. */
export function databaseArea(store: UseStore): KeyValueArea {
  return {
    get: readTogether((keys) => getMany(keys, store)),
    set: (entries) => setMany(Object.entries(entries), store),
    remove: (keys) => delMany(keys, store),
  };
}
