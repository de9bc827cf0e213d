import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { get, promisifyRequest, set, setMany } from 'idb-keyval';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStores } from '../../src/storage/stores.ts';

/** With this clock alone a database answers late: fake-indexeddb does not run on these timers. */
const holdClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
/** Lets the time pass after which a database that does not answer is given up. */
const givenUp = async (attempt: Promise<unknown>) => {
  const refused = expect(attempt).rejects.toMatchObject({ name: 'TimeoutError' });
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
};
afterEach(() => {
  vi.useRealTimers();
});

describe('strict store', () => {
  it('opens write transactions with strict durability', async () => {
    const store = createStores('a', 'entries', new IDBFactory()).strict;
    expect(await store('readwrite', (objects) => objects.transaction.durability)).toBe('strict');
    expect(await store('readonly', (objects) => objects.transaction.durability)).toBe('default');
  });

  it('gives up on a database that the browser never opens, tries again, and keeps no late connection', async () => {
    const real = new IDBFactory();
    const late: IDBOpenDBRequest[] = [];
    let isStuck = true;
    const open = (name: string) => {
      if (!isStuck) return real.open(name);
      const request = new EventTarget() as IDBOpenDBRequest;
      late.push(request);
      return request;
    };
    holdClock();
    const { strict } = createStores('a', 'entries', { open } as unknown as IDBFactory);
    await givenUp(get('key', strict));
    isStuck = false;
    await set('key', 'there', strict);
    expect(await get('key', strict)).toBe('there');
    let closed = 0;
    for (const request of late) {
      Object.defineProperty(request, 'result', { value: { close: () => closed++ } });
      request.onsuccess?.(new Event('success') as never);
    }
    await Promise.resolve();
    expect(closed).toBe(late.length);
  });

  it('shares its database with a relaxed one', async () => {
    const { strict, relaxed } = createStores('a', 'entries', new IDBFactory());
    expect(await relaxed('readwrite', (objects) => objects.transaction.durability)).toBe('relaxed');
    expect(await strict('readwrite', (objects) => objects.transaction.durability)).toBe('strict');
    await set('key', 'soon', relaxed);
    expect(await get('key', strict)).toBe('soon');
  });

  it('works under the functions of idb-keyval and survives a new connection', async () => {
    const factory = new IDBFactory();
    await setMany(
      [
        ['one', 1],
        ['two', { deep: true }],
      ],
      createStores('a', 'entries', factory).strict,
    );
    expect(await get('two', createStores('a', 'entries', factory).strict)).toEqual({ deep: true });
  });

  it('lets its database be deleted and opens it anew afterwards', async () => {
    const factory = new IDBFactory();
    const store = createStores('a', 'entries', factory).strict;
    await set('key', 1, store);
    await new Promise((resolve, reject) => {
      const request = factory.deleteDatabase('a');
      request.onsuccess = resolve;
      request.onerror = reject;
    });
    expect(await get('key', store)).toBeUndefined();
    await set('key', 2, store);
    expect(await get('key', store)).toBe(2);
  });

  it('erases a database that does not open by deleting it, and gives up on one that is not let go', async () => {
    const real = new IDBFactory();
    let isDamaged = false;
    const open = (name: string) => {
      if (isDamaged) throw new DOMException('no such file', 'UnknownError');
      return real.open(name);
    };
    const deleteDatabase = (name: string) => {
      const request = real.deleteDatabase(name);
      request.addEventListener('success', () => {
        isDamaged = false;
      });
      return request;
    };
    const factory = { open, deleteDatabase } as unknown as IDBFactory;
    holdClock();
    const { strict, erase } = createStores('a', 'entries', factory);
    await set('key', 'there', strict);
    await erase();
    expect(await get('key', strict)).toBeUndefined();
    await set('key', 'there', strict);
    const other = await promisifyRequest(real.open('a'));
    // Over the same database, and without the connection that was opened before.
    const next = createStores('a', 'entries', factory);
    isDamaged = true;
    await givenUp(next.erase());
    other.close();
    await expect.poll(() => isDamaged).toBe(false);
    isDamaged = true;
    await next.erase();
    for (const store of [next.strict, strict]) expect(await get('key', store)).toBeUndefined();
    await set('key', 'new', next.strict);
    expect(await get('key', strict)).toBe('new');
  });

  it('opens its database anew when the browser has closed it', async () => {
    const factory = new IDBFactory();
    const opened: IDBDatabase[] = [];
    const watched = new Proxy(factory, {
      get(target, property) {
        if (property !== 'open') return Reflect.get(target, property, target).bind(target);
        return (name: string) => {
          const request = target.open(name);
          request.addEventListener('success', () => opened.push(request.result));
          return request;
        };
      },
    });
    const store = createStores('a', 'entries', watched).strict;
    await set('key', 1, store);
    // As on a disk that was taken away for a moment: the connection is closed under the store.
    opened[0]?.close();
    opened[0]?.onclose?.(new Event('close'));
    expect(await get('key', store)).toBe(1);
    expect(opened).toHaveLength(2);
  });

  it('tries again after a failed opening', async () => {
    const factory = new IDBFactory();
    let fails = true;
    const flaky = new Proxy(factory, {
      get(target, property) {
        if (property === 'open' && fails) {
          return () => {
            throw new Error('no database today');
          };
        }
        return Reflect.get(target, property, target).bind(target);
      },
    });
    const store = createStores('a', 'entries', flaky).strict;
    await expect(set('key', 1, store)).rejects.toThrow('no database today');
    fails = false;
    await set('key', 1, store);
    expect(await get('key', store)).toBe(1);
  });
});
