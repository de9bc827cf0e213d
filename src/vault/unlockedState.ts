import { DEADLINE_KEY, deadlineInForce, hasTypes, LAST_USE_KEY, type StoredDeadline } from './lockDeadline.ts';

/** Where `storage.session` holds the unlocked state. */
export const sessionKeys = { key: 'vault:session:key', deadline: DEADLINE_KEY, lastUse: LAST_USE_KEY } as const;

export interface StoredKey {
  readonly unlockId: string;
  /** Name of the data key. */
  readonly keyId: string;
  /** Base64. */
  readonly dataKey: string;
}

const isKey = (value: unknown): value is StoredKey =>
  hasTypes(value, { unlockId: 'string', keyId: 'string', dataKey: 'string' }) && isBase64((value as StoredKey).dataKey);

// Not by a regular expression: the engine keeps the text that was matched last, here the key, until
// the next match.
function isBase64(text: string): boolean {
  try {
    return text.length % 4 === 0 && atob(text).length > 0;
  } catch {
    return false;
  }
}

/**
 * @param stored - What is stored under each of `sessionKeys`.
 * @param at - The time, milliseconds since 1970.
 * @returns Key and deadline while the wallet is unlocked, else `undefined`.
 */
export function unlockedState(
  { key, deadline, lastUse }: Readonly<Record<keyof typeof sessionKeys, unknown>>,
  at: number,
): (StoredKey & StoredDeadline) | undefined {
  const inForce = deadlineInForce(deadline, lastUse, at);
  return isKey(key) && key.unlockId === inForce?.unlockId ? { ...key, ...inForce } : undefined;
}
