import type { StoredKey } from '../../storage/storedValues.ts';
import { keyOf as vaultKeys } from '../../vault/imagePlaces.ts';

/** In `local`, and a second time in `copy`. */
export const CONFIG_KEY = 'config';
export const SITES_KEY = 'sites';
/** There while a wipe goes on: what else is stored may be gone in part. */
export const WIPING = 'wiping';

/**
 * Keys of `local` and `copy` that say who the wallet is: the startup snapshot is made of them, and
 * nearly everything begins with them.
 */
export const BASIC_KEYS: readonly string[] = [WIPING, CONFIG_KEY, SITES_KEY, ...Object.values(vaultKeys)];

/** Keys of `local` that the full background waits for as well before it answers anything. */
export const START_KEYS: readonly StoredKey<'local'>[] = ['taken-over', 'standing'];

/**
 * Lock under which values of an account, a network or an exchange are written, and removed with
 * its entry.
 */
export const OWNED = 'owned';
