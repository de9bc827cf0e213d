import { createRequire } from 'node:module';

/**
 * Derives each password once, because the derivation is slow on purpose: a third of the processor
 * time of the unit tests went into unlocking the same vaults again. Stands in place of `hash-wasm`
 * in unit tests; elsewhere it has to be imported before anything that imports the vault.
 */
const library = createRequire(import.meta.url)('hash-wasm') as Pick<typeof import('hash-wasm'), 'argon2id'>;
const derive = library.argon2id as (options: object) => Promise<Uint8Array>;
const derived = new Map<string, Promise<Uint8Array>>();

const textOfOptions = (options: object) =>
  JSON.stringify(options, (_key, value: unknown) => (value instanceof Uint8Array ? [...value] : value));

/** @public Imported in the place of the library's, see `vite.config.ts`. */
export const argon2id = (async (options: object) => {
  const name = textOfOptions(options);
  const key = derived.get(name) ?? derive(options);
  derived.set(name, key);
  // The vault wipes what it is given.
  return (await key).slice();
}) as typeof library.argon2id;

library.argon2id = argon2id;
