import { delMany, get, setMany, type UseStore } from 'idb-keyval';

/** A store of named values: `storage.local`, `storage.session`, or a database. A `set` of several is one write. */
export interface KeyValueArea {
  get(key: string): Promise<unknown>;
  set(entries: Record<string, unknown>): Promise<void>;
  remove(keys: string[]): Promise<void>;
}

/** An IndexedDB store seen as an area. */
export function databaseArea(store: UseStore): KeyValueArea {
  return {
    get: (key) => get(key, store),
    set: (entries) => setMany(Object.entries(entries), store),
    remove: (keys) => delMany(keys, store),
  };
}
