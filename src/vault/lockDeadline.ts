/** Where `storage.session` holds until when the wallet is unlocked. */
export const DEADLINE_KEY = 'vault:session:deadline';

export interface StoredDeadline {
  readonly unlockId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** When the deadline was last set. */
  readonly seen: number;
  readonly idleMs: number;
}

// Checked by hand: whether the wallet is unlocked is asked before the schema library is loaded.
const isDeadline = (value: unknown): value is StoredDeadline =>
  hasTypes(value, { unlockId: 'string', deadline: 'number', seen: 'number', idleMs: 'number' });

/** An object with exactly these fields, each of its type. */
export function hasTypes(value: unknown, types: Readonly<Record<string, 'string' | 'number'>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(types);
  const fields = value as Record<string, unknown>;
  if (Object.keys(fields).length !== names.length) return false;
  return names.every((name) =>
    types[name] === 'number' ? Number.isFinite(fields[name]) : typeof fields[name] === 'string',
  );
}

/**
 * A clock that is set back to before the deadline was last set, by more than a correction by NTP,
 * locks. A step back that ends after that time prolongs the unlock by its size: reads move nothing,
 * because a read that wrote could undo what a touch has just stored.
 */
const stepBackToleranceMs = 1000;

/**
 * The deadline of a wallet that is unlocked; its key is stored beside it.
 * @param stored - What is stored for the deadline.
 * @param at - The time, milliseconds since 1970.
 */
export function deadlineInForce(stored: unknown, at: number): StoredDeadline | undefined {
  if (!isDeadline(stored)) return undefined;
  return at >= stored.deadline || at < stored.seen - stepBackToleranceMs ? undefined : stored;
}
