import { delMany, getMany, setMany, type UseStore } from 'idb-keyval';

/**
 * A store of named values: `storage.local`, `storage.session`, or a database. A `set` of several is
 * one write.
 */
export interface KeyValueArea {
  get(key: string): Promise<unknown>;
  set(entries: Record<string, unknown>): Promise<void>;
  remove(keys: string[]): Promise<void>;
}

/**
 * Joins the reads that are made in one turn of the event loop into one read of the store. An
 * approval request reads a dozen values, and each separate read costs about a millisecond.
 * @param readMany - Gives the values in the order of the keys.
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

/** Freezes a JSON value with everything in it, because several readers share it. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

/**
 * Caches the values that were read from `area`. The caller calls `forget` when somebody else has
 * written to it. Concurrent reads of a key share one read of the store. A write drops its keys from
 * the cache when it begins and when it ends, also when it fails, so that a value that is read back
 * comes from the store. Values are frozen.
 */
export function remembering(area: KeyValueArea): KeyValueArea & { forget(keys?: readonly string[]): void } {
  const known = new Map<string, Promise<unknown>>();
  function read(key: string): Promise<unknown> {
    const value = area.get(key).then(frozen);
    known.set(key, value);
    value.catch(() => {
      if (known.get(key) === value) known.delete(key);
    });
    return value;
  }
  function forget(keys: readonly string[] = [...known.keys()]): void {
    for (const key of keys) known.delete(key);
  }
  async function writing(keys: readonly string[], write: () => Promise<void>): Promise<void> {
    forget(keys);
    try {
      await write();
    } finally {
      forget(keys);
    }
  }
  return {
    get: (key) => known.get(key) ?? read(key),
    set: (entries) => writing(Object.keys(entries), () => area.set(entries)),
    remove: (keys) => writing(keys, () => area.remove(keys)),
    /** Drops these keys from the cache; all of them when absent. */
    forget,
  };
}

/** Adapts an IndexedDB store to an area. */
export function databaseArea(store: UseStore): KeyValueArea {
  return {
    get: readTogether((keys) => getMany(keys, store)),
    set: (entries) => setMany(Object.entries(entries), store),
    remove: (keys) => delMany(keys, store),
  };
}
