/** Keys of `storage.local` that the start reads before the rest of the background is loaded. */
export const CONFIG_KEY = 'config';
export const SITES_KEY = 'sites';
/** There while a wipe goes on: what else is stored may be gone in part. */
export const WIPING = 'wiping';
