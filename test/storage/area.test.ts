import { describe, expect, test } from 'vitest';
import { type KeyValueArea, readTogether, remembering } from '../../src/storage/area.ts';

/** An area in memory that says what it was asked, and whose next calls can be held or failed. */
function slowArea() {
  const stored: Record<string, unknown> = { a: { count: 1 }, b: 2 };
  const asked: string[] = [];
  let held: Promise<void> = Promise.resolve();
  const area: KeyValueArea = {
    async get(key) {
      asked.push(key);
      const value = structuredClone(stored[key]);
      await held;
      return value;
    },
    async set(entries) {
      await held;
      Object.assign(stored, entries);
    },
    async remove(keys) {
      for (const key of keys) delete stored[key];
    },
  };
  return {
    area,
    stored,
    asked,
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

describe('reads of one turn', () => {
  test('are one read of the store, each key once; those of the next turn are another', async () => {
    const reads: string[][] = [];
    const get = readTogether(async (keys) => {
      reads.push([...keys]);
      return keys.map((key) => `${key}!`);
    });
    expect(await Promise.all([get('a'), get('b'), get('a')])).toEqual(['a!', 'b!', 'a!']);
    expect(await get('a')).toBe('a!');
    expect(reads).toEqual([['a', 'b'], ['a']]);
  });

  test('fail together, and the next turn reads anew', async () => {
    let isBroken = true;
    const get = readTogether(async (keys) => {
      if (isBroken) throw new Error('disk');
      return keys;
    });
    expect(await Promise.allSettled([get('a'), get('b')])).toMatchObject([
      { reason: { message: 'disk' } },
      { reason: { message: 'disk' } },
    ]);
    isBroken = false;
    expect(await get('a')).toBe('a');
  });
});

describe('a remembering area', () => {
  test('reads the store once, also for what is not there; nobody can change what others read', async () => {
    const { area, asked, stored } = slowArea();
    stored.a = { count: 1, inner: [{ deep: 1 }] };
    const local = remembering(area);
    const first = (await local.get('a')) as { count: number; inner: { deep: number }[] };
    expect(() => Object.assign(first, { count: 9 })).toThrow(TypeError);
    expect(() => first.inner.push({ deep: 2 })).toThrow(TypeError);
    expect(() => Object.assign(first.inner[0] ?? {}, { deep: 3 })).toThrow(TypeError);
    expect(await local.get('a')).toEqual({ count: 1, inner: [{ deep: 1 }] });
    expect([await local.get('none'), await local.get('none')]).toEqual([undefined, undefined]);
    expect(asked).toEqual(['a', 'none']);
  });

  test('reads again what was written or removed, and nothing else', async () => {
    const { area, asked } = slowArea();
    const local = remembering(area);
    await Promise.all([local.get('a'), local.get('b')]);
    await local.set({ a: 5 });
    expect([await local.get('a'), await local.get('b')]).toEqual([5, 2]);
    await local.remove(['b']);
    expect([await local.get('a'), await local.get('b')]).toEqual([5, undefined]);
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
  });

  test('keeps nothing of a read that a write overtakes', async () => {
    const { area, hold } = slowArea();
    const local = remembering(area);
    const release = hold();
    const before = local.get('a');
    const write = local.set({ a: 'new' });
    const during = local.get('a');
    release();
    await Promise.all([before, write, during]);
    expect(await local.get('a')).toBe('new');
  });

  test('forgets what a failed write may have touched', async () => {
    const { area, stored } = slowArea();
    const local = remembering({
      ...area,
      async set(entries) {
        await area.set(entries);
        throw new Error('disk');
      },
    });
    expect(await local.get('b')).toBe(2);
    await expect(local.set({ b: 3 })).rejects.toThrow('disk');
    expect([stored.b, await local.get('b')]).toEqual([3, 3]);
  });

  test('forgets what it is told to, also of a read in progress', async () => {
    const { area, stored, hold } = slowArea();
    const local = remembering(area);
    await Promise.all([local.get('a'), local.get('b')]);
    Object.assign(stored, { a: 6, b: 7 });
    expect([await local.get('a'), await local.get('b')]).toEqual([{ count: 1 }, 2]);
    local.forget(['b']);
    expect([await local.get('a'), await local.get('b')]).toEqual([{ count: 1 }, 7]);
    local.forget();
    const release = hold();
    const read = local.get('a');
    stored.a = 8;
    local.forget(['a']);
    release();
    expect([await read, await local.get('a')]).toEqual([6, 8]);
  });
});
