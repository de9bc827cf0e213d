import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as BabyJubjub from '../../src/crypto/babyJubjub.ts';
import { secretKeyOf } from '../support/secretKeys.ts';

/** Number of the multiplication (from 1) whose result is replaced by another point; 0 for none. */
const fault = vi.hoisted(() => ({ at: 0, calls: 0, leavesCurve: false }));

vi.mock('../../src/crypto/babyJubjub.ts', async (importOriginal) => {
  const original = await importOriginal<typeof BabyJubjub>();
  const Point = original.curvePoint();
  return {
    ...original,
    multiplyBase: (scalar: bigint) => {
      fault.calls++;
      const right = original.multiplyBase(scalar);
      if (fault.calls !== fault.at) return right;
      return fault.leavesCurve
        ? { ...right, y: original.Fp.add(right.y, 1n) }
        : Point.fromAffine(right).add(Point.BASE).toAffine();
    },
  };
});

const { createSigner, sign } = await import('../../src/crypto/index.ts');

const secretKey = secretKeyOf(0x1234567890abcdefn);

describe('a fault in the scalar multiplication', () => {
  afterEach(() => {
    fault.at = 0;
    fault.calls = 0;
    fault.leavesCurve = false;
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

  it('that takes the public key off the curve makes no signer', () => {
    Object.assign(fault, { at: 1, leavesCurve: true });
    expect(() => createSigner(secretKey)).toThrow('the public key is not on the curve');
  });

  it.each([
    [2, 'the first signature'],
    [14, 'a signature that is checked with a table'],
  ])('in multiplication %i of a signer (%s) lets no signature leave, and the next is right', (at) => {
    const signer = createSigner(secretKey);
    const message = (i: number) => BigInt(1000 + i);
    for (let i = 2; i < at; i++) signer.sign(message(i));
    fault.at = at;
    expect(() => signer.sign(message(at))).toThrow(expect.objectContaining({ code: 'self-check-failed' }));
    expect(signer.sign(message(at))).toEqual(sign(message(at), secretKey));
  });

  it('in the public key of a signer lets no signature of it leave', () => {
    fault.at = 1;
    const signer = createSigner(secretKey);
    for (let i = 0; i < 12; i++)
      expect(() => signer.sign(BigInt(i))).toThrow(expect.objectContaining({ code: 'self-check-failed' }));
  });
});
