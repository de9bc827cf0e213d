import { type EdwardsPoint, edwards } from '@noble/curves/abstract/edwards.js';
import { BASE_X, BASE_Y, COFACTOR, CURVE_A, CURVE_D, FIELD_PRIME, SUBGROUP_ORDER } from './constants.ts';

/** Affine coordinates, each in `[0, p)` when valid. */
export interface AffinePoint {
  readonly x: bigint;
  readonly y: bigint;
}

/**
 * The curve with the protocol's base point. `Point.BASE.multiply(secret)` is noble's fixed-window multiplication with
 * full-row table scans and scalar blinding; `multiplyUnsafe` branches on the scalar and is for public scalars only.
 */
export const Point = edwards({
  p: FIELD_PRIME,
  n: SUBGROUP_ORDER,
  h: COFACTOR,
  a: CURVE_A,
  d: CURVE_D,
  Gx: BASE_X,
  Gy: BASE_Y,
});

/** The prime field of coordinates and Poseidon elements. */
export const Fp = Point.Fp;

/**
 * Windows of noble's table for B. It is built at the first multiplication: 512 points at first, so that the first
 * signature of a fresh process comes 20 ms sooner, and once more, 3,584 points in 25 ms, when a multiplication is
 * clearly not the only one; it then takes half the time. The steps are the same for every scalar with either window.
 */
const FIRST_WINDOW = 3;
const LATER_WINDOW = 7;
const MULTIPLICATIONS_BEFORE_LATER_WINDOW = 16;
Point.BASE.precompute(FIRST_WINDOW);
let multiplications = 0;

/**
 * `scalar · B` for a secret scalar: noble's blinded path and nothing else.
 * @param scalar - `1 <= scalar < SUBGROUP_ORDER`.
 * @throws {RangeError} Outside that range.
 */
export function multiplyBase(scalar: bigint): AffinePoint {
  if (++multiplications === MULTIPLICATIONS_BEFORE_LATER_WINDOW) Point.BASE.precompute(LATER_WINDOW);
  return Point.BASE.multiply(scalar).toAffine();
}

/**
 * The point with these coordinates when it is one that a key or a signature may contain: coordinates below `p`, on the
 * curve, in the prime subgroup, not the neutral element. `null` otherwise. Not constant time; for public points.
 */
export function subgroupPoint({ x, y }: AffinePoint): EdwardsPoint | null {
  if (x < 0n || x >= FIELD_PRIME || y < 0n || y >= FIELD_PRIME) return null;
  let point: EdwardsPoint;
  try {
    point = Point.fromAffine({ x, y });
    point.assertValidity();
  } catch {
    return null;
  }
  return !point.is0() && point.isTorsionFree() ? point : null;
}

/**
 * Packs a public key into the 256-bit integer that `AccountUpdate` typed data carries: `y` in bits 0–253, and bit 255
 * set when `x > (p − 1) / 2`.
 */
export function packPoint({ x, y }: AffinePoint): bigint {
  return x > (FIELD_PRIME - 1n) / 2n ? y | (1n << 255n) : y;
}
