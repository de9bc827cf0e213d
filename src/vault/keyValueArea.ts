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

/**
 * `area` with what was read last kept in memory, for a store that tells of what others write. A write forgets what it touches, also when
 * it fails, and what is read while one is under way is not kept; so a value that is read back after a write comes from the store.
 */
export function remembering(area: KeyValueArea): KeyValueArea & { forget(keys?: readonly string[]): void } {
  const known = new Map<string, unknown>();
  let writes = 0;
  async function writing(keys: readonly string[], write: () => Promise<void>): Promise<void> {
    writes++;
    for (const key of keys) known.delete(key);
    try {
      await write();
    } finally {
      writes++;
    }
  }
  return {
    async get(key) {
      if (!known.has(key)) {
        const before = writes;
        const value = await area.get(key);
        if (before !== writes) return value;
        known.set(key, value);
      }
      return structuredClone(known.get(key));
    },
    set: (entries) => writing(Object.keys(entries), () => area.set(entries)),
    remove: (keys) => writing(keys, () => area.remove(keys)),
    /** Forgets those, or everything, such as what somebody else has written. */
    forget(keys = [...known.keys()]) {
      writes++;
      for (const key of keys) known.delete(key);
    },
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
