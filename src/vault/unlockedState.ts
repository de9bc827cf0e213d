/** Where `storage.session` holds the unlocked state. */
export const sessionKeys = { key: 'vault:session:key', deadline: 'vault:session:deadline' } as const;

export interface StoredKey {
  readonly unlockId: string;
  /** Name of the data key. */
  readonly keyId: string;
  /** Base64. */
  readonly dataKey: string;
}

export interface StoredDeadline {
  readonly unlockId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** When the deadline was last set. */
  readonly seen: number;
  readonly idleMs: number;
}

// Checked by hand: whether the wallet is unlocked is asked before the schema library is loaded.
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

const isDeadline = (value: unknown): value is StoredDeadline =>
  hasTypes(value, { unlockId: 'string', deadline: 'number', seen: 'number', idleMs: 'number' });

/** An object with exactly these fields, each of its type. */
function hasTypes(value: unknown, types: Readonly<Record<string, 'string' | 'number'>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(types);
  const fields = value as Record<string, unknown>;
  if (Object.keys(fields).length !== names.length) return false;
  return names.every((name) =>
    types[name] === 'number' ? Number.isFinite(fields[name]) : typeof fields[name] === 'string',
  );
}

/** Clock corrections by NTP up to this size do not lock; any larger step back does. */
const stepBackToleranceMs = 1000;

/**
 * @param key - What is stored for the key.
 * @param deadline - What is stored for the deadline.
 * @param at - The time, milliseconds since 1970.
 * @returns Both of them while the wallet is unlocked, else `undefined`.
 */
export function unlockedState(key: unknown, deadline: unknown, at: number): (StoredKey & StoredDeadline) | undefined {
  if (!isKey(key) || !isDeadline(deadline) || key.unlockId !== deadline.unlockId) return undefined;
  if (at >= deadline.deadline || at < deadline.seen - stepBackToleranceMs) return undefined;
  return { ...key, ...deadline };
}
