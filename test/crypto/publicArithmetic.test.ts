import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fp } from '../../src/crypto/babyJubjub.ts';
import { CURVE_A, CURVE_D } from '../../src/crypto/constants.ts';
import { type AffinePoint, FIELD_PRIME, SUBGROUP_ORDER } from '../../src/crypto/index.ts';
import { isOnCurve, PreparedKey, TWO_D, X_SCALE } from '../../src/crypto/publicArithmetic.ts';
import { Point } from '../support/curve.ts';
import { timesAnyPoint } from '../support/vectorKinds/eddsaVerify.ts';
import { lowOrderPoints, plus } from './lowOrderPoints.ts';

const edges = [0n, 1n, 2n, SUBGROUP_ORDER - 1n, SUBGROUP_ORDER - 2n, SUBGROUP_ORDER / 2n];
const patterns = [0, 1, 31, 32, 33, 63, 64, 127, 128, 250].map((bit) => 1n << BigInt(bit));
const full = (1n << 251n) - 1n;
/**
 * Scalars at the borders of windows and limbs, runs of ones that carry all the way, and random
 * ones.
 */
const scalars = fc.oneof(
  fc.constantFrom(
    ...edges,
    ...patterns,
    ...patterns.map((bit) => full ^ bit).filter((s) => s < SUBGROUP_ORDER),
    full / 2n,
  ),
  fc.bigInt({ min: 0n, max: SUBGROUP_ORDER - 1n }),
);
const points = fc.bigInt({ min: 1n, max: SUBGROUP_ORDER - 1n }).map((k) => Point.BASE.multiplyUnsafe(k).toAffine());

/** s·B − c·A by noble's additions. */
function reference(A: AffinePoint, s: bigint, c: bigint): AffinePoint {
  return timesAnyPoint(Point.BASE, s)
    .subtract(timesAnyPoint(Point.fromAffine(A), c))
    .toAffine();
}

describe('the curve of the public arithmetic', () => {
  it('is isomorphic: the constants are √−a and −2d/a', () => {
    expect(Fp.sqr(X_SCALE)).toBe(Fp.neg(CURVE_A));
    expect(TWO_D).toBe(Fp.neg(Fp.div(2n * CURVE_D, CURVE_A)));
  });
});

describe('isOnCurve', () => {
  it('agrees with noble on points, their neighbours and low-order points', () => {
    for (const point of lowOrderPoints) expect(isOnCurve(point)).toBe(true);
    fc.assert(
      fc.property(points, (point) => {
        expect(isOnCurve(point)).toBe(true);
        expect(isOnCurve({ x: point.x, y: Fp.add(point.y, 1n) })).toBe(false);
        expect(isOnCurve({ x: point.x + FIELD_PRIME, y: point.y })).toBe(false);
        expect(isOnCurve({ x: point.x - FIELD_PRIME, y: point.y })).toBe(false);
      }),
      { numRuns: 20 },
    );
  });
});

describe('PreparedKey.equationHolds', () => {
  it('is true for s·B − c·A and false beside it', () => {
    fc.assert(
      fc.property(points, scalars, scalars, (A, s, c) => {
        const key = new PreparedKey(A);
        const R = reference(A, s, c);
        const beside = plus(R, Point.BASE.toAffine());
        const negated = { x: Fp.neg(R.x), y: R.y };
        expect(key.equationHolds(R, s, c)).toBe(true);
        expect(key.equationHolds(beside, s, c)).toBe(false);
        if (R.x !== 0n) expect(key.equationHolds(negated, s, c)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('is right for keys of any order, the neutral element among them', () => {
    const honest = Point.BASE.multiplyUnsafe(12345n).toAffine();
    for (const torsion of lowOrderPoints)
      for (const A of [torsion, plus(honest, torsion)]) {
        const key = new PreparedKey(A);
        for (const c of [0n, 1n, 5n, 8n, SUBGROUP_ORDER - 1n])
          expect(key.equationHolds(reference(A, 7n, c), 7n, c)).toBe(true);
      }
  });
});

describe('PreparedKey.isInSubgroup', () => {
  it('is true for multiples of the base point, and false for them plus a low-order point', () => {
    fc.assert(
      fc.property(points, fc.constantFrom(...lowOrderPoints.slice(1)), (point, torsion) => {
        expect(new PreparedKey(point).isInSubgroup()).toBe(true);
        expect(new PreparedKey(plus(point, torsion)).isInSubgroup()).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('is false for all eight low-order points', () => {
    for (const point of lowOrderPoints) expect(new PreparedKey(point).isInSubgroup()).toBe(false);
  });
});
