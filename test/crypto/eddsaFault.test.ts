import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as BabyJubjub from '../../src/crypto/babyJubjub.ts';
import { secretKeyOf } from '../support/secretKeys.ts';

/** Number of the multiplication (from 1) whose result is replaced by another point; 0 for none. */
const fault = vi.hoisted(() => ({ at: 0, calls: 0 }));

vi.mock('../../src/crypto/babyJubjub.ts', async (importOriginal) => {
  const original = await importOriginal<typeof BabyJubjub>();
  return {
    ...original,
    multiplyBase: (scalar: bigint) => {
      fault.calls++;
      const right = original.multiplyBase(scalar);
      return fault.calls === fault.at ? original.Point.fromAffine(right).add(original.Point.BASE).toAffine() : right;
    },
  };
});

const { sign } = await import('../../src/crypto/index.ts');

const secretKey = secretKeyOf(0x1234567890abcdefn);

describe('a fault in the scalar multiplication', () => {
  afterEach(() => {
    fault.at = 0;
    fault.calls = 0;
  });

  it('is not there in the control run', () => {
    expect(sign(1n, secretKey).S).toBeGreaterThan(0n);
    expect(fault.calls).toBeGreaterThanOrEqual(2);
  });

  it.each([
    [1, 'the public key'],
    [2, 'R'],
  ])('in multiplication %i (%s) lets no signature leave', (at) => {
    fault.at = at;
    let left: unknown;
    expect(() => {
      left = sign(1n, secretKey);
    }).toThrow(expect.objectContaining({ code: 'self-check-failed' }));
    expect(fault.calls).toBeGreaterThanOrEqual(at);
    expect(left).toBeUndefined();
  });
});
