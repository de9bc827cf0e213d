/** Where `storage.session` holds until when the wallet is unlocked. */
export const DEADLINE_KEY = 'vault:session:deadline';
/** Where `storage.session` holds when the unlocked wallet was used last. */
export const LAST_USE_KEY = 'vault:session:use';

export interface StoredDeadline {
  readonly unlockId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** When the deadline was last set. */
  readonly seen: number;
  readonly idleMs: number;
}

/**
 * Apart from the deadline, because a use that wrote the deadline could undo what a touch stored.
 */
export interface LastUse {
  readonly unlockId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
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
 * The deadline of a wallet that is unlocked; its key is stored beside it. A clock that is set back
 * to before the last use, by more than a correction by NTP, locks. A step back over time in which
 * nothing used the wallet cannot be noticed.
 * @param stored - What is stored for the deadline.
 * @param lastUse - What is stored for the last use.
 * @param at - The time, milliseconds since 1970.
 */
export function deadlineInForce(stored: unknown, lastUse: unknown, at: number): StoredDeadline | undefined {
  const stepBackToleranceMs = 1000;
  const isInForce =
    isDeadline(stored) &&
    at < stored.deadline &&
    at >= lastSeen(stored, lastUse as LastUse | undefined) - stepBackToleranceMs;
  return isInForce ? stored : undefined;
}

/**
 * The latest time at which an unlock is known to have been in use.
 * @param use - What is stored for the last use, perhaps that of another unlock.
 */
export const lastSeen = ({ unlockId, seen }: StoredDeadline, use: LastUse | null | undefined): number =>
  use?.unlockId === unlockId && use.at > seen ? use.at : seen;
