import type { KeyValueArea } from '../../src/vault/index.ts';

/** `storage.local` or `storage.session` in memory, with the structured clone that the browser makes. */
export function memoryArea(
  entries: Map<string, unknown> = new Map(),
): KeyValueArea & { readonly entries: Map<string, unknown> } {
  return {
    entries,
    get: async (key) => structuredClone(entries.get(key)),
    async set(changes) {
      for (const [key, value] of Object.entries(changes)) entries.set(key, JSON.parse(JSON.stringify(value)));
    },
    async remove(keys) {
      for (const key of keys) entries.delete(key);
    },
  };
}
