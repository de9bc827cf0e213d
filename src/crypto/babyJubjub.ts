import { type EdwardsPointCons, edwards } from '@noble/curves/abstract/edwards.js';
import { Field } from '@noble/curves/abstract/modular.js';
import { BASE_X, BASE_Y, COFACTOR, CURVE_A, CURVE_D, FIELD_PRIME, SUBGROUP_ORDER } from './constants.ts';

/** Affine coordinates, each in `[0, p)` when valid. */
export interface AffinePoint {
  readonly x: bigint;
  readonly y: bigint;
}

/** The prime field of coordinates and Poseidon elements. */
export const Fp = Field(FIELD_PRIME);

/**
 * noble's table for B comes when a multiplication is clearly not the only one: 6,272 points in 45
 * ms. Until then, window 1, noble multiplies without a table, which takes three times as long and
 * makes the first signature of a fresh process sooner than even a small table would. The steps are
 * the same for every scalar either way, and the scalar is blinded.
 */
const WITHOUT_TABLE = 1;
const TABLE_WINDOW = 8;
const MULTIPLICATIONS_BEFORE_TABLE = 16;

let point: EdwardsPointCons | undefined;
let multiplications = 0;

/**
 * noble's points of the curve with the protocol's base point, made at the first call (2 ms, which a
 * service worker that only answers a message need not spend). `BASE.multiply(secret)` is a
 * fixed-window multiplication with full-row table scans and scalar blinding; `multiplyUnsafe`
 * branches on the scalar and is for public scalars only.
 */
export function curvePoint(): EdwardsPointCons {
  if (!point) {
    const parameters = {
      p: FIELD_PRIME,
      n: SUBGROUP_ORDER,
      h: COFACTOR,
      a: CURVE_A,
      d: CURVE_D,
      Gx: BASE_X,
      Gy: BASE_Y,
    };
    point = edwards(parameters, { Fp });
    point.BASE.precompute(WITHOUT_TABLE);
  }
  return point;
}

/**
 * `scalar · B` for a secret scalar: noble's blinded path and nothing else.
 * @param scalar - `1 <= scalar < SUBGROUP_ORDER`.
 * @throws {RangeError} Outside that range.
 */
export function multiplyBase(scalar: bigint): AffinePoint {
  const { BASE } = curvePoint();
  if (++multiplications === MULTIPLICATIONS_BEFORE_TABLE) BASE.precompute(TABLE_WINDOW);
  return BASE.multiply(scalar).toAffine();
}
