import type { AffinePoint } from './babyJubjub.ts';
import { FIELD_PRIME } from './constants.ts';
import { isOnCurve, PreparedKey } from './publicArithmetic.ts';

/**
 * The public key ready for verification when it is one that an account may have: coordinates below `p`, on the curve, in
 * the prime subgroup, not the neutral element. `null` otherwise. Not constant time; for public points.
 */
export function acceptableKey({ x, y }: AffinePoint): PreparedKey | null {
  if (!isOnCurve({ x, y })) return null;
  const key = new PreparedKey({ x, y });
  return key.isInSubgroup() ? key : null;
}

/** The point when it is one that a public key may be (see `acceptableKey`), `null` otherwise. */
export function subgroupPoint(point: AffinePoint): AffinePoint | null {
  return acceptableKey(point)?.point ?? null;
}

/**
 * Packs a public key into the 256-bit integer that `AccountUpdate` typed data carries: `y` in bits 0–253, and bit 255
 * set when `x > (p − 1) / 2`.
 */
export function packPoint({ x, y }: AffinePoint): bigint {
  return x > (FIELD_PRIME - 1n) / 2n ? y | (1n << 255n) : y;
}
