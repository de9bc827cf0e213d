import type { KeyValueArea } from '../storage/area.ts';

export type Place = 'a' | 'b';

/** Where a store keeps the two images of the vault, and which of them is in force. */
export const keyOf = { current: 'vault:current', a: 'vault:a', b: 'vault:b' } as const;

/**
 * Whether there is anything of a vault, readable or not. The copy is read first:
 * `storage.local` is open already.
 */
export async function holdsVault(primary: KeyValueArea, copy: KeyValueArea): Promise<boolean> {
  let failure: { readonly error: unknown } | undefined;
  for (const area of [copy, primary]) {
    try {
      const found = await Promise.all(Object.values(keyOf).map((key) => area.get(key)));
      if (found.some((value) => value !== undefined)) return true;
    } catch (error) {
      failure = { error };
    }
  }
  // Perhaps it is in the store that does not answer.
  if (failure) throw failure.error;
  return false;
}
