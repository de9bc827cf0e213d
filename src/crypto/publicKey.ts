import { type AffinePoint, Fp } from './babyJubjub.ts';
import { CURVE_A, CURVE_D, FIELD_PRIME } from './constants.ts';
import { isOnCurve, PreparedKey } from './publicArithmetic.ts';

/**
 * The public key ready for verification when it is one that an account may have: coordinates below
 * `p`, on the curve, in the prime subgroup, not the neutral element. `null` otherwise. Not constant
 * time; for public points.
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
 * Packs a public key into the 256-bit integer that `AccountUpdate` typed data carries: `y` in bits
 * 0–253, and bit 255 set when `x > (p − 1) / 2`.
 */
export function packPoint({ x, y }: AffinePoint): bigint {
  return x > (FIELD_PRIME - 1n) / 2n ? y | (1n << 255n) : y;
}

/**
 * The point that `packPoint` packed, from the curve equation: `x² = (1 − y²) / (a − d·y²)`.
 * @returns `null` when the integer packs no point of the curve: `y` is not below `p`, no `x`
 *   exists, bit 254 is set, or the sign bit stands at `x = 0`. The subgroup is not checked, because
 *   an account may hold any point.
 */
export function unpackPoint(packed: bigint): AffinePoint | null {
  const y = packed & ((1n << 254n) - 1n);
  const high = packed >> 254n;
  if (y >= FIELD_PRIME || (high !== 0n && high !== 2n)) return null;
  const y2 = Fp.sqr(y);
  const x2 = Fp.div(Fp.sub(1n, y2), Fp.sub(CURVE_A, Fp.mul(CURVE_D, y2)));
  let x: bigint;
  try {
    x = Fp.sqrt(x2);
  } catch {
    return null;
  }
  const point = { x, y };
  if (packPoint(point) === packed) return point;
  const mirrored = { x: Fp.neg(x), y };
  return packPoint(mirrored) === packed ? mirrored : null;
}
