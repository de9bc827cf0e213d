import { add, carry, copy, ELEMENT, fromBytes, isZero, mul, ONE, square, subtract, sumWords } from './field';

/**
 * Points of the curve `−x² + y² = 1 + d'·x²·y²`, isomorphic to Baby Jubjub (x scaled by √−a,
 * `d' = −d/a`). Both curves have a square `a` and a non-square `d`, so the formulas are complete:
 * right for every pair of points, of any order, without a case. Formulas: Hisil, Wong, Carter,
 * Dawson, https://eprint.iacr.org/2008/522. Comments give the bounds (see field.ts).
 *
 * A sum is four elements X, Y, Z, T (x = X/Z, y = Y/Z, T = XY/Z). An addend is three elements y −
 * x, y + x, 2d'·x·y when Z = 1, followed by a pad word, and four with 2Z when not.
 */
export const SUM: usize = 4 * ELEMENT;
export const ADDEND: usize = 112;
export const PROJECTIVE_ADDEND: usize = 4 * ELEMENT;

const Y: usize = ELEMENT;
const Z: usize = 2 * ELEMENT;
const T: usize = 3 * ELEMENT;

/** √−a, and 2d', set once by `setCurve`. */
const SCALE = memory.data(36, 16);
export const TWO_D = memory.data(36, 16);

const a = memory.data(36, 16);
const b = memory.data(36, 16);
const c = memory.data(36, 16);
const e = memory.data(36, 16);
const f = memory.data(36, 16);
const g = memory.data(36, 16);
const h = memory.data(36, 16);

/** @param bytes - √−a, then −2d/a, 32 little-endian bytes each. */
export function setCurve(bytes: usize): void {
  fromBytes(SCALE, bytes);
  fromBytes(TWO_D, bytes + 32);
}

/** Sum of the constants of the curve; see `sumWords`. */
export function sumOfCurve(): u64 {
  return sumWords(sumWords(0, SCALE, ELEMENT), TWO_D, ELEMENT);
}

/** x of the isomorphic curve from x of Baby Jubjub. */
export function scaleX(out: usize, x: usize): void {
  mul(out, x, SCALE);
}

/**
 * `out` = an element that inverts to the factor back: √−a·Z, so that x of Baby Jubjub is X divided
 * by it.
 */
export function scaledZ(out: usize, sum: usize): void {
  mul(out, sum + Z, SCALE);
}

export function setNeutral(sum: usize): void {
  memory.fill(sum, 0, SUM);
  copy(sum + Y, ONE);
  copy(sum + Z, ONE);
}

/** The sum of a point given by x (of this curve) and y. */
export function setAffine(sum: usize, x: usize, y: usize): void {
  copy(sum, x);
  copy(sum + Y, y);
  copy(sum + Z, ONE);
  mul(sum + T, x, y);
}

/** Doubles; T is not read, and left stale when it is not wanted. */
export function double(sum: usize, withT: bool): void {
  square(a, sum);
  square(b, sum + Y);
  square(c, sum + Z);
  add(e, sum, sum + Y);
  square(e, e);
  add(h, a, b); // 2
  subtract(e, h, e); // 4
  carry(e);
  subtract(g, a, b); // 3
  add(f, c, c);
  add(f, f, g); // 5
  carry(f);
  mul(sum, e, f);
  mul(sum + Y, g, h);
  mul(sum + Z, f, g);
  if (withT) mul(sum + T, e, h);
}

/** Products of both additions, from the terms in a, b and c and 2Z1·Z2 in f (at most 2). */
function finishAddition(sum: usize, negative: bool, withT: bool): void {
  subtract(e, b, a); // 3
  add(h, b, a); // 2
  add(g, f, c); // 3
  carry(g);
  subtract(f, f, c); // 4
  carry(f);
  const first = negative ? g : f;
  const second = negative ? f : g;
  mul(sum, e, first);
  mul(sum + Y, second, h);
  mul(sum + Z, f, g);
  if (withT) mul(sum + T, e, h);
}

/**
 * The terms of `sum` and the addend; of its negative with the first two elements of the addend
 * changed over.
 */
function additionTerms(sum: usize, addend: usize, negative: bool): void {
  subtract(a, sum + Y, sum); // 3
  mul(a, a, negative ? addend + ELEMENT : addend);
  add(b, sum + Y, sum); // 2
  mul(b, b, negative ? addend : addend + ELEMENT);
  mul(c, sum + T, addend + 2 * ELEMENT);
}

/**
 * Adds a point with Z = 1, or its negative. `negative` is public; secret signs are put into the
 * addend before.
 */
export function addAffine(sum: usize, addend: usize, negative: bool, withT: bool): void {
  additionTerms(sum, addend, negative);
  add(f, sum + Z, sum + Z);
  finishAddition(sum, negative, withT);
}

/** Adds a point in projective form, or its negative. Public. */
export function addProjective(sum: usize, addend: usize, negative: bool, withT: bool): void {
  additionTerms(sum, addend, negative);
  mul(f, sum + Z, addend + 3 * ELEMENT);
  finishAddition(sum, negative, withT);
}

/** The sum as projective addend. */
export function toProjectiveAddend(out: usize, sum: usize): void {
  subtract(out, sum + Y, sum);
  carry(out);
  add(out + ELEMENT, sum + Y, sum);
  carry(out + ELEMENT);
  mul(out + 2 * ELEMENT, sum + T, TWO_D);
  add(out + 3 * ELEMENT, sum + Z, sum + Z);
  carry(out + 3 * ELEMENT);
}

/** x and y (of this curve) as addend with Z = 1. */
export function toAffineAddend(out: usize, x: usize, y: usize): void {
  mul(a, x, y);
  subtract(b, y, x);
  carry(b);
  add(c, y, x);
  carry(c);
  copy(out, b);
  copy(out + ELEMENT, c);
  mul(out + 2 * ELEMENT, a, TWO_D);
  store<u32>(out, 0, 3 * ELEMENT);
}

/** Whether a sum is the neutral element. Public. */
export function isNeutral(sum: usize): bool {
  if (!isZero(sum)) return false;
  subtract(a, sum + Y, sum + Z);
  return isZero(a);
}

/** Whether a sum is the point with these coordinates of Baby Jubjub. Public. */
export function equalsAffine(sum: usize, x: usize, y: usize): bool {
  scaleX(a, x);
  mul(a, a, sum + Z);
  subtract(b, sum, a);
  if (!isZero(b)) return false;
  mul(a, y, sum + Z);
  subtract(b, sum + Y, a);
  return isZero(b);
}

/** Wipes what the last operations left behind. */
export function wipeTerms(): void {
  memory.fill(a, 0, ELEMENT);
  memory.fill(b, 0, ELEMENT);
  memory.fill(c, 0, ELEMENT);
  memory.fill(e, 0, ELEMENT);
  memory.fill(f, 0, ELEMENT);
  memory.fill(g, 0, ELEMENT);
  memory.fill(h, 0, ELEMENT);
}
