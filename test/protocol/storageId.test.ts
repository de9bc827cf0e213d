import { describe, expect, it } from 'vitest';
import { MAX_UINT32, STORAGE_SLOTS, storageParity, storageSlot } from '../../src/protocol/index.ts';

describe('storage ids', () => {
  it('are even for orders and odd for off-chain requests', () => {
    expect(storageParity(0)).toBe('order');
    expect(storageParity(101)).toBe('offchain');
  });

  it('occupy the slot that is the id modulo 2^14', () => {
    expect(STORAGE_SLOTS).toBe(2 ** 14);
    expect(storageSlot(5)).toBe(5);
    expect(storageSlot(16384)).toBe(0);
    expect(storageSlot(16386)).toBe(storageSlot(2));
    expect(storageSlot(MAX_UINT32)).toBe(16383);
  });
});
