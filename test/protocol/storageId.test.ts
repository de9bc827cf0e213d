import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  availableStorageId,
  firstStorageId,
  MAX_UINT32,
  nextStorageId,
  STORAGE_SLOTS,
  storageParity,
  storageSlot,
} from '../../src/protocol/index.ts';

const evensBelow = (limit: number) => Array.from({ length: limit / 2 }, (_, i) => 2 * i);

describe('storage ids', () => {
  it('are even for orders and odd for off-chain requests', () => {
    expect(storageParity(0)).toBe('order');
    expect(storageParity(101)).toBe('offchain');
    expect(firstStorageId('order')).toBe(0);
    expect(firstStorageId('offchain')).toBe(1);
  });

  it('grow by 2 up to 32 bits', () => {
    expect(nextStorageId(0)).toBe(2);
    expect(nextStorageId(MAX_UINT32 - 2)).toBe(MAX_UINT32);
    for (const last of [MAX_UINT32 - 1, MAX_UINT32, -2, 0.5, Number.NaN])
      expect(() => nextStorageId(last)).toThrow('no storage id is left');
  });

  it('occupy the slot that is the id modulo 2^14', () => {
    expect(STORAGE_SLOTS).toBe(2 ** 14);
    expect(storageSlot(5)).toBe(5);
    expect(storageSlot(16384)).toBe(0);
    expect(storageSlot(16386)).toBe(storageSlot(2));
    expect(storageSlot(MAX_UINT32)).toBe(16383);
  });

  it('follow the example of the document: 20, 60 and 100 free, all other ids below 100 used', () => {
    const used = evensBelow(100).filter((id) => id !== 20 && id !== 60);
    expect(availableStorageId(used, 'order', false)).toBe(20);
    expect(availableStorageId([...used, 20], 'order', false)).toBe(60);
    expect(availableStorageId([...used, 20, 60], 'order', false)).toBe(100);
    expect(availableStorageId(used, 'order', true)).toBe(100);
    expect(availableStorageId([...used, 100], 'order', true)).toBe(102);
    expect(availableStorageId([...used, 100, 102], 'order', true)).toBe(104);
  });

  it('start at the first id of their kind', () => {
    for (const maxNext of [false, true]) {
      expect(availableStorageId([], 'order', maxNext)).toBe(0);
      expect(availableStorageId([], 'offchain', maxNext)).toBe(1);
      expect(availableStorageId([1, 3], 'order', maxNext)).toBe(0);
    }
  });

  it('of both kinds do not disturb each other, are never used ones, and have the right parity', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 })), fc.boolean(), (used, maxNext) => {
        for (const parity of ['order', 'offchain'] as const) {
          const id = availableStorageId(used, parity, maxNext);
          expect(used).not.toContain(id);
          expect(storageParity(id)).toBe(parity);
          if (maxNext)
            for (const other of used.filter((u) => storageParity(u) === parity)) expect(other).toBeLessThan(id);
          else for (let lower = firstStorageId(parity); lower < id; lower += 2) expect(used).toContain(lower);
        }
      }),
    );
  });
});
