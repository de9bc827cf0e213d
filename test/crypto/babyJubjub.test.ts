import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COFACTOR } from '../../src/crypto/constants.ts';
import { FIELD_PRIME, GROUP_ORDER, packPoint, SUBGROUP_ORDER, subgroupPoint } from '../../src/crypto/index.ts';
import { Point } from '../support/curve.ts';
import { timesAnyPoint } from '../support/vectorKinds/eddsaVerify.ts';
import { lowOrderPoints, plus } from './lowOrderPoints.ts';

const scalars = fc.bigInt({ min: 1n, max: SUBGROUP_ORDER - 1n });

describe('the curve', () => {
  it('has the group order 8 · L and a base point of order L', () => {
    expect(GROUP_ORDER).toBe(COFACTOR * SUBGROUP_ORDER);
    Point.BASE.assertValidity();
    expect(timesAnyPoint(Point.BASE, SUBGROUP_ORDER).is0()).toBe(true);
  });

  it('does not use the EIP-2494 base point', () => {
    expect(Point.BASE.x).not.toBe(5299619240641551281634865583518297030282874472190772894086521144482721001553n);
  });

  it('multiplies the base point like double-and-add', () => {
    fc.assert(
      fc.property(scalars, (k) => {
        expect(Point.BASE.multiply(k).equals(timesAnyPoint(Point.BASE, k))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('subgroupPoint', () => {
  it('takes every point of the prime subgroup but the neutral element', () => {
    fc.assert(
      fc.property(scalars, (k) => {
        const point = Point.BASE.multiplyUnsafe(k).toAffine();
        expect(subgroupPoint(point)).toEqual(point);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses the low-order points', () => {
    for (const point of lowOrderPoints) expect(subgroupPoint(point)).toBeNull();
  });

  it('refuses subgroup points shifted by a low-order point', () => {
    fc.assert(
      fc.property(scalars, fc.constantFrom(...lowOrderPoints.slice(1)), (k, torsion) => {
        expect(subgroupPoint(plus(Point.BASE.multiplyUnsafe(k).toAffine(), torsion))).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  it('refuses coordinates outside the field and points off the curve', () => {
    const { x, y } = Point.BASE.toAffine();
    for (const bad of [
      { x: x + FIELD_PRIME, y },
      { x, y: y + FIELD_PRIME },
      { x: x - FIELD_PRIME, y },
      { x: -x, y },
      { x, y: x },
      { x: 0n, y: 0n },
      { x: 1n << 256n, y },
    ])
      expect(subgroupPoint(bad)).toBeNull();
  });
});

describe('packPoint', () => {
  it('sets bit 255 exactly for the larger of x and p − x', () => {
    const middle = (FIELD_PRIME - 1n) / 2n;
    expect(packPoint({ x: middle, y: 5n })).toBe(5n);
    expect(packPoint({ x: middle + 1n, y: 5n })).toBe(5n | (1n << 255n));
    expect(packPoint({ x: 0n, y: 1n })).toBe(1n);
  });

  it('separates a point from its negative', () => {
    fc.assert(
      fc.property(scalars, (k) => {
        const { x, y } = Point.BASE.multiplyUnsafe(k).toAffine();
        expect(packPoint({ x, y }) ^ packPoint({ x: FIELD_PRIME - x, y })).toBe(1n << 255n);
      }),
      { numRuns: 30 },
    );
  });
});
