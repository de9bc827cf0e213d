import { ax, ay, computeChallenge, message, rx, ry } from './challenge';
import {
  add,
  carry,
  copy,
  ELEMENT,
  fromBytes,
  integerFromBytes,
  integerToBytes,
  isZero,
  mul,
  ONE,
  square,
  subtract,
} from './field';
import { BUFFER, BULK, KEY_MULTIPLES, MESSAGE, R, S, WEIGHT } from './layout';
import { allocate } from './memory';
import { addProjective, double, isNeutral, PROJECTIVE_ADDEND, scaleX, setNeutral, TWO_D } from './point';
import {
  BASE_WINDOW,
  BITS,
  baseMultiples,
  DIGITS,
  KEY,
  KEY_WINDOW,
  oddMultiples,
  sparseDigits,
} from './publicMultiply';
import { multiplyAdd } from './scalar';

/**
 * The core with batch verification, for relayers; the wallet's module (`index.ts`) does not have
 * it.
 *
 * A batch of signatures (R, S) of messages with the challenges c under keys A is right when
 *
 *     Σ z·S·B − Σ z·c·A − Σ z·R = 0
 *
 * for weights z that are drawn after the signatures are known, each equally likely among 2^128.
 *
 * *What is right passes:* each S·B − c·A − R is neutral. *What is wrong does not:* B and every A
 * are in the prime subgroup (A was checked when its key was read), and `batchAdd` takes no R
 * outside of it, so D = S·B − c·A − R is in a group of the prime order L > 2^250. If some D is not
 * neutral, then for each choice of the other weights one residue z modulo L at most makes the sum
 * neutral, and at most one of the 2^128 weights is that residue. So a batch with a wrong signature
 * passes with a probability of at most 2^-128. Without the check of R that would be false: parts of
 * small order vanish from the sum for one weight in eight, while the single equation, which
 * compares points, never accepts them.
 *
 * *The check of R.* The eight cosets of the prime subgroup are told apart by the Tate pairing with
 * a point P of order 8, whose value is a power with the exponent (p − 1)/8: one chain of squarings
 * in place of a multiplication by L. On the Montgomery model u = (1 + y)/(1 − y), v = u/x the
 * Miller function of P is the product of the tangents at P (to the 4th) and at 2P (squared) and of
 * verticals; without denominators, up to 8th powers and a constant, it is
 *
 *     ((1 + y − x·(α + β·y))·y)^4 · ((1 + y)·(1 − γ·x)·x)^2 · (1 − y²)^7
 *
 * which is 0 only at points of order 2, 4 or 8 and at others outside of the subgroup. In the prime
 * subgroup, and nowhere else, its power is γ (which is an 8th root of unity). Koshelev, "Subgroup
 * membership testing on elliptic curves via the Tate pairing", https://eprint.iacr.org/2022/037.
 */
export * from './index';

/** Signatures in a batch. */
export const BATCH_MOST: i32 = 64;

/** R is multiplied by half as many bits as A, so fewer multiples of it pay. */
const R_WINDOW: i32 = 4;
const R_MULTIPLES: usize = 4 * PROJECTIVE_ADDEND;
/** One signature: odd multiples of A and R, digits of both. */
const ENTRY: usize = KEY + R_MULTIPLES + 2 * DIGITS;

/** x of R on the curve of the arithmetic. */
const sx = memory.data(36, 16);
const challenge = memory.data(36, 16);
const weight = memory.data(36, 16);
const s = memory.data(36, 16);
const NOTHING = memory.data(36, 16);
/** Σ z·S modulo L. */
const sumOfS = memory.data(36, 16);
/** 32 bytes of a scalar, and 8 zeros. */
const bytes = memory.data(40, 16);

const digitsOfBase = memory.data(272, 16);
const sum = memory.data(144, 16);

const ALPHA = memory.data(36, 16);
const BETA = memory.data(36, 16);
const GAMMA = memory.data(36, 16);

let entries: usize = 0;
let count: i32 = 0;

/** Reads at BULK: α, β, γ. To be called once, after `setUp`. */
export function setUpBatch(): void {
  const at = BUFFER + BULK;
  fromBytes(ALPHA, at);
  fromBytes(BETA, at + 32);
  fromBytes(GAMMA, at + 64);
  entries = allocate((BATCH_MOST as usize) * ENTRY);
}

const a = memory.data(36, 16);
const b = memory.data(36, 16);
const c = memory.data(36, 16);
const e = memory.data(36, 16);

/** Whether −x² + y² = 1 + d'·x²·y², doubled. */
function isOnCurve(x: usize, y: usize): bool {
  square(a, x);
  square(b, y);
  mul(c, a, b);
  mul(c, c, TWO_D);
  subtract(e, b, a); // 3
  carry(e);
  subtract(e, e, ONE); // 3
  carry(e);
  add(e, e, e); // 2
  subtract(e, e, c); // 4
  return isZero(e);
}

/** (p − 1)/8 in 64 digits of four bits, least significant first. */
const EXPONENT = memory.data<u32>([
  0x7e000000, 0x287c3eb2, 0x0f372e12, 0xa5067d09, 0xd0302b0b, 0x370a08b6, 0x5c263405, 0x060c89ce,
]);
const powers = memory.data(16 * 36, 16);

/** `out = x^((p − 1)/8)`, for an `out` apart from x. Public. */
function symbol(out: usize, x: usize): void {
  copy(powers, ONE);
  copy(powers + ELEMENT, x);
  for (let i: usize = 2; i < 16; i++) mul(powers + i * ELEMENT, powers + (i - 1) * ELEMENT, x);
  copy(out, ONE);
  for (let digit: i32 = 63; digit >= 0; digit--) {
    for (let i = 0; i < 4; i++) square(out, out);
    const power = (load<u32>(EXPONENT + ((digit >> 3) << 2)) >> ((digit & 7) << 2)) & 15;
    if (power) mul(out, out, powers + (power as usize) * ELEMENT);
  }
}

/** Whether a point of the curve is in the prime subgroup; the neutral element is not. */
function isInSubgroup(x: usize, y: usize): bool {
  mul(a, BETA, y);
  add(a, a, ALPHA); // 2
  mul(a, a, x);
  add(b, ONE, y); // 2
  subtract(a, b, a); // 4
  carry(a);
  mul(a, a, y);
  square(a, a);
  square(a, a);
  mul(c, GAMMA, x);
  subtract(c, ONE, c); // 3
  mul(c, c, x);
  mul(c, c, b);
  square(c, c);
  mul(a, a, c);
  square(b, y);
  subtract(b, ONE, b); // 3
  carry(b);
  square(c, b);
  mul(c, c, b);
  square(c, c);
  mul(c, c, b);
  mul(a, a, c);
  symbol(e, a);
  subtract(e, e, GAMMA);
  return isZero(e);
}

/**
 * Takes a signature into the batch: A, message, R, S and its weight from the buffer, all in range
 * and R not neutral, and the odd multiples of A, which is in the prime subgroup, from
 * KEY_MULTIPLES. There is room for BATCH_MOST.
 * @returns Whether it was taken; one that was not is no signature.
 */
export function batchAdd(): bool {
  fromBytes(rx, BUFFER + R);
  fromBytes(ry, BUFFER + R + 32);
  scaleX(sx, rx);
  if (!isOnCurve(sx, ry) || !isInSubgroup(sx, ry)) return false;
  fromBytes(ax, BUFFER);
  fromBytes(ay, BUFFER + 32);
  fromBytes(message, BUFFER + MESSAGE);
  computeChallenge(challenge);
  integerFromBytes(weight, BUFFER + WEIGHT);
  integerFromBytes(s, BUFFER + S);
  multiplyAdd(sumOfS, sumOfS, weight, s);
  const entry = entries + (count as usize) * ENTRY;
  memory.copy(entry, BUFFER + KEY_MULTIPLES, KEY);
  oddMultiples(entry + KEY, sx, ry, 4);
  multiplyAdd(challenge, NOTHING, weight, challenge);
  integerToBytes(bytes, challenge);
  sparseDigits(entry + KEY + R_MULTIPLES, bytes, KEY_WINDOW);
  memory.copy(bytes, BUFFER + WEIGHT, 32);
  sparseDigits(entry + KEY + R_MULTIPLES + DIGITS, bytes, R_WINDOW);
  count++;
  return true;
}

/** Adds the multiple for a digit; odd multiples are at `multiples`. */
function addMultiple(multiples: usize, digit: i32, negative: bool): void {
  const at = multiples + (((abs(digit) - 1) >> 1) as usize) * PROJECTIVE_ADDEND;
  addProjective(sum, at, negative !== digit < 0, true);
}

/**
 * Whether every signature of the batch is right, up to a chance of 2^-128. The next batch is empty.
 */
export function batchHolds(): bool {
  integerToBytes(bytes, sumOfS);
  sparseDigits(digitsOfBase, bytes, BASE_WINDOW);
  setNeutral(sum);
  let started = false;
  for (let bit = BITS; bit >= 0; bit--) {
    if (started) double(sum, true);
    const ofBase = load<i8>(digitsOfBase + bit) as i32;
    if (ofBase) {
      addMultiple(baseMultiples, ofBase, false);
      started = true;
    }
    let entry = entries;
    for (let i = 0; i < count; i++) {
      const ofKey = load<i8>(entry + KEY + R_MULTIPLES + bit) as i32;
      const ofR = load<i8>(entry + KEY + R_MULTIPLES + DIGITS + bit) as i32;
      if (ofKey) addMultiple(entry, ofKey, true);
      if (ofR) addMultiple(entry + KEY, ofR, true);
      if (ofKey | ofR) started = true;
      entry += ENTRY;
    }
  }
  count = 0;
  memory.fill(sumOfS, 0, ELEMENT);
  return isNeutral(sum);
}
