import { keyOf as vaultKeys } from '../../vault/imagePlaces.ts';

/** In `local`, and a second time in `copy`. */
export const CONFIG_KEY = 'config';
export const SITES_KEY = 'sites';
/** There while a wipe goes on: what else is stored may be gone in part. */
export const WIPING = 'wiping';

/** What of `local` and `copy` says who the wallet is: what the facts of the next start are made of, and what nearly everything begins with. */
export const BASIC_KEYS: readonly string[] = [WIPING, CONFIG_KEY, SITES_KEY, ...Object.values(vaultKeys)];
