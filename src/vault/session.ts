import { type Bytes, fromBase64, toBase64 } from './encoding.ts';
import { VaultError } from './errors.ts';
import type { KeyValueArea } from './keyValueArea.ts';

const keyOf = { key: 'vault:session:key', deadline: 'vault:session:deadline' } as const;

interface StoredKey {
  readonly unlockId: string;
  readonly vaultId: string;
  /** Base64. */
  readonly dataKey: string;
}

interface StoredDeadline {
  readonly unlockId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** When the deadline was last set. */
  readonly seen: number;
  readonly idleMs: number;
}

// Checked by hand: whether the wallet is unlocked is asked before the schema library is loaded.
const isKey = (value: unknown): value is StoredKey =>
  hasTypes(value, { unlockId: 'string', vaultId: 'string', dataKey: 'string' }) &&
  isBase64((value as StoredKey).dataKey);

// Not by a regular expression: the engine keeps the text that was matched last, here the key, until the next match.
function isBase64(text: string): boolean {
  try {
    return text !== '' && text.length % 4 === 0 && atob(text).length > 0;
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

export const defaultIdleMs = 15 * 60_000;

/** However long the chosen idle time, a night's sleep of the machine locks. */
export const maxIdleMs = 8 * 60 * 60_000;

/** Clock corrections by NTP up to this size do not lock; any larger step back does. */
const stepBackToleranceMs = 1000;

/**
 * The unlocked state: the data key in an area that lives in memory only and is closed to content scripts, with a
 * wall-clock deadline that is data and is compared on each use. Timers do not run while the machine sleeps or the worker is
 * stopped, so nothing here waits for one.
 *
 * The key is written once, at unlock, under a fresh `unlockId`. Extending the deadline writes only the deadline: of a touch
 * that races a lock at most a deadline without a key remains, which is locked.
 */
export function createSession(area: KeyValueArea, now: () => number, randomBytes: (length: number) => Bytes) {
  const deadlineOf = (unlockId: string, idleMs: number) => {
    const seen = now();
    return { unlockId, seen, idleMs, deadline: seen + Math.min(Math.max(idleMs, 0), maxIdleMs) };
  };

  async function read() {
    const [key, deadline] = await Promise.all([area.get(keyOf.key), area.get(keyOf.deadline)]);
    if (key === undefined) return undefined;
    const at = now();
    if (
      isKey(key) &&
      isDeadline(deadline) &&
      key.unlockId === deadline.unlockId &&
      at < deadline.deadline &&
      at >= deadline.seen - stepBackToleranceMs
    ) {
      return { ...key, ...deadline };
    }
    await close();
    return undefined;
  }

  const close = () => area.remove([keyOf.key, keyOf.deadline]);

  return {
    async open(vaultId: string, dataKey: Bytes, idleMs: number): Promise<void> {
      const unlockId = toBase64(randomBytes(16));
      await area.set({
        [keyOf.key]: { unlockId, vaultId, dataKey: toBase64(dataKey) },
        [keyOf.deadline]: deadlineOf(unlockId, idleMs),
      });
    },

    close,

    /** Moves the deadline. @returns False when the vault is locked. */
    async touch(idleMs?: number): Promise<boolean> {
      const state = await read();
      if (!state) return false;
      await area.set({ [keyOf.deadline]: deadlineOf(state.unlockId, idleMs ?? state.idleMs) });
      return true;
    },

    /** @returns When it locks, milliseconds since 1970, or undefined when it is locked. */
    async deadline(): Promise<number | undefined> {
      return (await read())?.deadline;
    },

    /** The key and the unlock that it belongs to. @throws {VaultError} `locked`. */
    async take(): Promise<{ unlockId: string; vaultId: string; dataKey: Bytes }> {
      const state = await read();
      if (!state) throw new VaultError('locked', 'the vault is locked');
      return { unlockId: state.unlockId, vaultId: state.vaultId, dataKey: fromBase64(state.dataKey) };
    },

    /** @throws {VaultError} `locked`: it was locked since `unlockId`, or the deadline passed meanwhile. */
    async confirm(unlockId: string): Promise<void> {
      if ((await read())?.unlockId !== unlockId) throw new VaultError('locked', 'the vault is locked');
    },
  };
}
