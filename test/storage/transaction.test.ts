import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { entries, keys, set, type UseStore } from 'idb-keyval';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStores } from '../../src/storage/stores.ts';
import { inTransaction, keysUnder } from '../../src/storage/transaction.ts';

let store: UseStore;
beforeEach(() => {
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  store = createStores('test', 'entries', new IDBFactory()).strict;
});

test('stores everything and gives the result', async () => {
  const result = await inTransaction(store, async (objects) => {
    objects.put('one', 'a');
    objects.put('two', 'b');
    return 3;
  });
  expect(result).toBe(3);
  expect(await entries(store)).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ]);
});

test('stores nothing when the work throws after a write', async () => {
  const work = inTransaction(store, async (objects) => {
    objects.put('one', 'a');
    throw new Error('no further');
  });
  await expect(work).rejects.toThrow('no further');
  expect(await keys(store)).toEqual([]);
});

test('finds the keys of one kind', async () => {
  for (const key of ['ended:1', 'end:1', 'end:2', 'request:1']) await set(key, key, store);
  const found = await store('readonly', async (objects) => {
    const asked = objects.getAllKeys(keysUnder('end:'));
    return new Promise((resolve) => {
      asked.onsuccess = () => resolve(asked.result);
    });
  });
  expect(found).toEqual(['end:1', 'end:2']);
});
