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
 * Reads of single values, those of one turn in one read of the store: an approval request needs a
 * dozen, and each read by itself costs the worker and the browser about a millisecond.
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

/** `value`, which is JSON, with all that is in it: who changed it would change what others read. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

/**
 * `area` with what was read last kept in memory, for a store that tells of what others write; who
 * asks for what is being read waits for that read. A write forgets what it touches as it begins and
 * as it ends, also when it fails, so a value that is read back after a write comes from the store.
 * What is read is frozen.
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
    /** Forgets those, or everything, such as what somebody else has written. */
    forget,
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
