import { reported } from '../report/report.ts';
import type { KeyValueArea } from '../storage/area.ts';
import { type Bytes, fromBase64, toBase64 } from './encoding.ts';
import { VaultError } from './errors.ts';
import { type LastUse, lastSeen, type StoredDeadline } from './lockDeadline.ts';
import { sessionKeys as keyOf, type StoredKey, unlockedState } from './unlockedState.ts';

export const defaultIdleMs = 15 * 60_000;

/** However long the chosen idle time, a night's sleep of the machine locks. */
const maxIdleMs = 8 * 60 * 60_000;

/** A use is stored when the one before is older. */
const USE_APART_MS = 10_000;

/**
 * The unlocked state: the data key in an area that lives in memory only and is closed to content
 * scripts, with a wall-clock deadline that is data and is compared on each use. Timers do not run
 * while the machine sleeps or the worker is stopped, so nothing here waits for one.
 *
 * The key is written at unlock under a fresh `unlockId`, and again when it is renewed. Extending
 * the deadline writes only the deadline: of a touch that races a lock at most a deadline without a
 * key remains, which is locked.
 */
export function createSession(area: KeyValueArea, now: () => number, randomBytes: (length: number) => Bytes) {
  const deadlineOf = (unlockId: string, idleMs: number): StoredDeadline => {
    const seen = now();
    return { unlockId, seen, idleMs, deadline: seen + Math.min(Math.max(idleMs, 0), maxIdleMs) };
  };

  async function read() {
    const [key, deadline, lastUse] = await Promise.all([
      area.get(keyOf.key),
      area.get(keyOf.deadline),
      area.get(keyOf.lastUse),
    ]);
    if (key === undefined) return undefined;
    const at = now();
    const state = unlockedState({ key, deadline, lastUse }, at);
    if (!state) await close();
    else if (at >= lastSeen(state, lastUse as LastUse | undefined) + USE_APART_MS)
      // Not waited for: a lock meanwhile would come too late for what is answered here.
      void area
        .set({ [keyOf.lastUse]: { unlockId: state.unlockId, at } satisfies LastUse })
        .catch(reported('vault: store the last use'));
    return state;
  }

  const close = () => area.remove(Object.values(keyOf));

  return {
    async open(keyId: string, dataKey: Bytes, idleMs: number): Promise<void> {
      const unlockId = toBase64(randomBytes(16));
      await area.set({
        [keyOf.key]: { unlockId, keyId, dataKey: toBase64(dataKey) } satisfies StoredKey,
        [keyOf.deadline]: deadlineOf(unlockId, idleMs),
      });
    },

    close,

    /**
     * Puts a renewed data key in the place of the one before it; nothing changes while the vault is
     * locked.
     */
    async renew(before: string, keyId: string, dataKey: Bytes): Promise<void> {
      const state = await read();
      if (state?.keyId !== before) return;
      const { unlockId } = state;
      await area.set({ [keyOf.key]: { unlockId, keyId, dataKey: toBase64(dataKey) } satisfies StoredKey });
      // A lock that came in between must not leave the key behind.
      await read();
    },

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
    async take(): Promise<{ unlockId: string; keyId: string; dataKey: Bytes }> {
      const state = await read();
      if (!state) throw new VaultError('locked');
      return { unlockId: state.unlockId, keyId: state.keyId, dataKey: fromBase64(state.dataKey) };
    },

    /**
     * @throws {VaultError} `locked`: it was locked since `unlockId`, or the deadline passed
     *   meanwhile.
     */
    async confirm(unlockId: string): Promise<void> {
      if ((await read())?.unlockId !== unlockId) throw new VaultError('locked');
    },
  };
}
