import { describe, expect, test } from 'vitest';
import { createSession } from '../../src/vault/session.ts';
import { sessionKeys, unlockedState } from '../../src/vault/unlockedState.ts';
import { createFaultyArea } from '../support/faultyArea.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const key = { unlockId: 'unlock', keyId: 'key', dataKey: 'AQIDBA==' };
const deadline = { unlockId: 'unlock', deadline: NOW + 1_000, seen: NOW, idleMs: 1_000 };

describe('the wallet is unlocked', () => {
  test('from the unlock until the deadline, by a clock that was set back by a second at most', () => {
    expect(unlockedState({ key, deadline, lastUse: undefined }, NOW)).toEqual({ ...key, ...deadline });
    expect(unlockedState({ key, deadline, lastUse: undefined }, NOW + 999)).toEqual({ ...key, ...deadline });
    expect(unlockedState({ key, deadline, lastUse: undefined }, NOW + 1_000)).toBeUndefined();
    expect(unlockedState({ key, deadline, lastUse: undefined }, NOW - 1_000)).toEqual({ ...key, ...deadline });
    expect(unlockedState({ key, deadline, lastUse: undefined }, NOW - 1_001)).toBeUndefined();
  });

  test('by a clock that was set back to before its last use by a second at most', () => {
    const lastUse = { unlockId: 'unlock', at: NOW + 900 };
    const at = (ms: number, stored: unknown) => unlockedState({ key, deadline, lastUse: stored }, NOW + ms);
    expect(at(0, { ...lastUse, at: NOW + 1_000 })).toEqual({ ...key, ...deadline });
    expect(at(0, { ...lastUse, at: NOW + 1_001 })).toBeUndefined();
    expect(at(-200, lastUse)).toBeUndefined();
    // An earlier use, one of another unlock and no use at all say nothing.
    for (const other of [{ ...lastUse, at: NOW - 5_000 }, { ...lastUse, unlockId: 'other' }, undefined, 'damaged'])
      expect(at(-200, other)).toEqual({ ...key, ...deadline });
  });

  test.each([
    ['no key', undefined, deadline],
    ['no deadline', key, undefined],
    ['a key that is no object', 'key', deadline],
    ['an empty key', null, deadline],
    ['a deadline that is no object', key, 5],
    ['the key of another unlock', { ...key, unlockId: 'other' }, deadline],
    ['a field too many', { ...key, more: '' }, deadline],
    ['a field too few', { unlockId: 'unlock', keyId: 'key' }, deadline],
    ['another field in the place of one', { unlockId: 'unlock', keyId: 'key', other: 'AQIDBA==' }, deadline],
    ['an empty data key', { ...key, dataKey: '' }, deadline],
    ['a data key of a length that Base64 does not have', { ...key, dataKey: 'AQIDBA' }, deadline],
    ['a data key that is no Base64', { ...key, dataKey: '!!!!' }, deadline],
    ['a data key of blanks alone', { ...key, dataKey: '    ' }, deadline],
    ['a name that is a number', { ...key, keyId: 5 }, deadline],
    ['an unlock that is a number', { ...key, unlockId: 5 }, { ...deadline, unlockId: 5 }],
    ['a deadline that is no number', key, { ...deadline, deadline: `${NOW + 1_000}` }],
    ['a deadline without end', key, { ...deadline, deadline: Number.POSITIVE_INFINITY }],
    ['a time that is no number', key, { ...deadline, seen: 'now' }],
    ['an idle time that is no number', key, { ...deadline, idleMs: '1' }],
  ])('but not with %s', (_title, storedKey, storedDeadline) => {
    expect(unlockedState({ key: storedKey, deadline: storedDeadline, lastUse: undefined }, NOW)).toBeUndefined();
  });
});

describe('a session', () => {
  function stage() {
    const clock = { ms: NOW };
    const { area, entries } = createFaultyArea();
    const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
    return { clock, area, entries, session: createSession(area, () => clock.ms, random) };
  }
  const bytes = Uint8Array.from([1, 2, 3]);

  test('lends the key until it is closed', async () => {
    const { session, entries } = stage();
    expect(await session.deadline()).toBeUndefined();
    await session.open('key', bytes, HOUR);
    expect(await session.deadline()).toBe(NOW + HOUR);
    expect(await session.take()).toMatchObject({ keyId: 'key', dataKey: bytes });
    await session.close();
    expect(entries.size).toBe(0);
    await expect(session.take()).rejects.toMatchObject({ code: 'locked', message: 'vault: locked' });
  });

  test('ends after eight hours at most, and at once for a time below nothing', async () => {
    const { clock, session } = stage();
    await session.open('key', bytes, 9 * HOUR);
    expect(await session.deadline()).toBe(NOW + 8 * HOUR);
    clock.ms += 8 * HOUR;
    expect(await session.deadline()).toBeUndefined();
    await session.open('key', bytes, -1);
    expect(await session.deadline()).toBeUndefined();
  });

  test('leaves nothing behind once it has ended', async () => {
    const { clock, session, entries } = stage();
    await session.open('key', bytes, HOUR);
    clock.ms += HOUR;
    expect(await session.touch()).toBe(false);
    expect(entries.size).toBe(0);
  });

  test('is extended by the same time, or by another one', async () => {
    const { clock, session } = stage();
    await session.open('key', bytes, HOUR);
    clock.ms += HOUR / 2;
    expect(await session.touch()).toBe(true);
    expect(await session.deadline()).toBe(clock.ms + HOUR);
    expect(await session.touch(2 * HOUR)).toBe(true);
    clock.ms += HOUR / 2;
    expect(await session.touch()).toBe(true);
    expect(await session.deadline()).toBe(clock.ms + 2 * HOUR);
  });

  test('is told from another one, also when the same key was opened again', async () => {
    const { session } = stage();
    await expect(session.confirm('none')).rejects.toMatchObject({ code: 'locked', message: 'vault: locked' });
    await session.open('key', bytes, HOUR);
    const { unlockId } = await session.take();
    await session.confirm(unlockId);
    await session.open('key', bytes, HOUR);
    await expect(session.confirm(unlockId)).rejects.toMatchObject({ code: 'locked' });
  });

  test('takes a renewed key in the place of the one before it, and of no other', async () => {
    const { session } = stage();
    await session.open('key', bytes, HOUR);
    const { unlockId } = await session.take();
    await session.renew('other', 'next', Uint8Array.from([4]));
    expect(await session.take()).toMatchObject({ keyId: 'key', dataKey: bytes });
    await session.renew('key', 'next', Uint8Array.from([4]));
    expect(await session.take()).toEqual({ unlockId, keyId: 'next', dataKey: Uint8Array.from([4]) });
  });

  test('that is closed while a key is renewed keeps no key', async () => {
    const { session, area, entries } = stage();
    await session.open('key', bytes, HOUR);
    await session.renew('key', 'next', Uint8Array.from([4]));
    const set = area.set;
    area.set = async (values) => {
      await session.close();
      return set(values);
    };
    await session.renew('next', 'last', Uint8Array.from([5]));
    expect(entries.size).toBe(0);
    area.set = set;
    await session.renew('last', 'again', bytes);
    expect(entries.has(sessionKeys.key)).toBe(false);
  });
});
