import { ELEMENT, integerToBytes, invert, mul, negate, ONE } from './field';
import { ADDEND, addAffine, SUM, scaledZ, scaleX, setNeutral, wipeTerms } from './point';

/**
 * Multiples of the base point by **secret** scalars. The scalar is cut into 42 signed digits of 6
 * bits; for each digit the whole row of 32 table entries is read and the wanted one kept by masks,
 * and one complete addition follows, also for the digit 0. No branch, address or count depends on
 * the scalar.
 */
export const WINDOW: u32 = 6;
export const WINDOWS: u32 = 42;
const ENTRIES: u32 = 32;

const digits = memory.data(48, 16);
const bytes = memory.data(48, 16);
const selected = memory.data(112, 16);
const negated = memory.data(36, 16);
const sum = memory.data(144, 16);
const inverse = memory.data(36, 16);

/**
 * Signed digits −31 … 32, one a byte, of an integer below 2^251: the top digit takes the last
 * carry.
 */
function recode(scalar: usize): void {
  integerToBytes(bytes, scalar);
  let carry: i32 = 0;
  for (let w: u32 = 0; w < WINDOWS; w++) {
    const bit = w * WINDOW;
    const value = (((load<u32>(bytes + (bit >> 3)) >> (bit & 7)) & 63) as i32) + carry;
    // 1 when the value is above 32
    carry = ((32 - value) >>> 31) as i32;
    store<i8>(digits + w, (value - (carry << 6)) as i8);
  }
}

/**
 * `selected` = the entry of the row for the digit: zeros for digit 0, which `selectSigned`
 * completes.
 */
function scan(row: usize, magnitude: i32): void {
  const wanted = i32x4.splat(magnitude);
  const one = i32x4.splat(1);
  let counter = one;
  let s0 = i32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  for (let entry: u32 = 0; entry < ENTRIES; entry++) {
    const mask = i32x4.eq(counter, wanted);
    s0 = v128.or(s0, v128.and(mask, v128.load(row)));
    s1 = v128.or(s1, v128.and(mask, v128.load(row, 16)));
    s2 = v128.or(s2, v128.and(mask, v128.load(row, 32)));
    s3 = v128.or(s3, v128.and(mask, v128.load(row, 48)));
    s4 = v128.or(s4, v128.and(mask, v128.load(row, 64)));
    s5 = v128.or(s5, v128.and(mask, v128.load(row, 80)));
    s6 = v128.or(s6, v128.and(mask, v128.load(row, 96)));
    counter = i32x4.add(counter, one);
    row += ADDEND;
  }
  v128.store(selected, s0);
  v128.store(selected, s1, 16);
  v128.store(selected, s2, 32);
  v128.store(selected, s3, 48);
  v128.store(selected, s4, 64);
  v128.store(selected, s5, 80);
  v128.store(selected, s6, 96);
}

/**
 * The multiple of the row's point by a digit, as addend: y − x, y + x and 2d'·x·y of its negative
 * by masks.
 */
function selectSigned(row: usize, digit: i32): void {
  const sign = digit >> 31;
  const magnitude = (digit ^ sign) - sign;
  scan(row, magnitude);
  // All ones for the digit 0, whose addend is that of the neutral element: 1, 1, 0.
  const neutral = ((magnitude - 1) >> 31) as u32;
  negate(negated, selected + 2 * ELEMENT);
  const swap = sign as u32;
  for (let i: usize = 0; i < ELEMENT; i += 4) {
    const one = load<u32>(ONE + i) & neutral;
    const minus = load<u32>(selected + i) | one;
    const plus = load<u32>(selected + ELEMENT + i) | one;
    const change = (minus ^ plus) & swap;
    store<u32>(selected + i, minus ^ change);
    store<u32>(selected + ELEMENT + i, plus ^ change);
    const product = load<u32>(selected + 2 * ELEMENT + i);
    store<u32>(selected + 2 * ELEMENT + i, product ^ ((product ^ load<u32>(negated + i)) & swap));
  }
}

/**
 * Affine coordinates of `scalar·B` on Baby Jubjub. All of its own memory is wiped.
 * @param table - Multiples 1 … 32 of `64^w·B` for w = 0 … 41.
 * @param scalar - Nine limbs of an integer below L.
 */
export function multiplyBase(x: usize, y: usize, table: usize, scalar: usize): void {
  recode(scalar);
  setNeutral(sum);
  for (let w: u32 = 0; w < WINDOWS; w++) {
    selectSigned(table + w * (ENTRIES * (ADDEND as u32)), load<i8>(digits + w) as i32);
    addAffine(sum, selected, false, true);
  }
  // One inversion for both: x = X/(√−a·Z), and √−a times the same inverse is 1/Z.
  scaledZ(inverse, sum);
  invert(inverse, inverse);
  mul(x, sum, inverse);
  scaleX(inverse, inverse);
  mul(y, sum + ELEMENT, inverse);
  wipe();
}

function wipe(): void {
  memory.fill(digits, 0, 48);
  memory.fill(bytes, 0, 48);
  memory.fill(selected, 0, 112);
  memory.fill(negated, 0, ELEMENT);
  memory.fill(sum, 0, SUM);
  memory.fill(inverse, 0, ELEMENT);
  wipeTerms();
}
