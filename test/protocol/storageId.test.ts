import { describe, expect, it } from 'vitest';
import {
  firstStorageId,
  MAX_UINT32,
  nextStorageId,
  STORAGE_SLOTS,
  storageParity,
  storageSlot,
} from '../../src/protocol/index.ts';

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
});
