import { copy, ELEMENT, invert, mul } from './field';
import { allocate } from './memory';
import {
  ADDEND,
  addAffine,
  addProjective,
  double,
  isNeutral,
  PROJECTIVE_ADDEND,
  setAffine,
  setNeutral,
  toAffineAddend,
  toProjectiveAddend,
} from './point';

/**
 * Multiples by **public** scalars: branches on scalars, looks tables up by them. Other tables and
 * another way than the secret multiplication, so that the check after signing repeats nothing that
 * made the signature but the field arithmetic.
 */

/** Window of the odd multiples of the base point (32 of them) and of other points (8 of them). */
export const BASE_WINDOW: i32 = 7;
export const BASE_MULTIPLES: i32 = 32;
/** The odd multiples of the base point, which `setUp` makes. */
export const baseMultiples = memory.data(32 * 144, 16);
export const KEY_WINDOW: i32 = 5;
/** Bytes of a key's odd multiples. */
export const KEY: usize = 8 * PROJECTIVE_ADDEND;
/** Bits of a scalar below L, rounded up, and one for the last carry. */
export const BITS: i32 = 256;
/** Bytes of the digits of a scalar, one for each bit. */
export const DIGITS: usize = 272;

const sum = memory.data(144, 16);
const step = memory.data(144, 16);
const digitsOfBase = memory.data(272, 16);
const digitsOfKey = memory.data(272, 16);
const inverse = memory.data(36, 16);
const affineX = memory.data(36, 16);
const affineY = memory.data(36, 16);

/** The point times 1, 3, … 2·count − 1 as projective addends, from x (of this curve) and y. */
export function oddMultiples(out: usize, x: usize, y: usize, count: i32): void {
  setAffine(sum, x, y);
  double(sum, true);
  toProjectiveAddend(step, sum);
  setAffine(sum, x, y);
  for (let i = 0; i < count; i++) {
    if (i > 0) addProjective(sum, step, false, true);
    toProjectiveAddend(out, sum);
    out += PROJECTIVE_ADDEND;
  }
}

/** `count` bits from a position on, of 32 bytes followed by 8 zero bytes. */
function bitsAt(scalar: usize, position: i32, count: i32): i32 {
  return ((load<u32>(scalar + (position >> 3)) >> (position & 7)) & ((1 << count) - 1)) as i32;
}

/** Width-w non-adjacent form: at each bit 0 or an odd digit below 2^(window − 1) in magnitude. */
export function sparseDigits(out: usize, scalar: usize, window: i32): void {
  memory.fill(out, 0, DIGITS);
  let carry = 0;
  let position = 0;
  while (position < BITS) {
    if (bitsAt(scalar, position, 1) === carry) {
      position++;
      continue;
    }
    const word = bitsAt(scalar, position, window) + carry;
    carry = word >> (window - 1);
    store<i8>(out + position, (word - (carry << window)) as i8);
    position += window;
  }
  store<i8>(out + BITS, carry as i8);
}

/**
 * `sum = s·B − c·A` (or −c·A when `base` is 0) by one chain of doublings.
 * @param base - Odd multiples of B (32 projective addends).
 * @param key - Odd multiples of A (8 projective addends).
 */
function combine(base: usize, s: usize, key: usize, c: usize): void {
  if (base) sparseDigits(digitsOfBase, s, BASE_WINDOW);
  else memory.fill(digitsOfBase, 0, DIGITS);
  sparseDigits(digitsOfKey, c, KEY_WINDOW);
  setNeutral(sum);
  let started = false;
  for (let bit = BITS; bit >= 0; bit--) {
    const ofBase = load<i8>(digitsOfBase + bit) as i32;
    const ofKey = load<i8>(digitsOfKey + bit) as i32;
    if (started) double(sum, (ofBase | ofKey) !== 0);
    if (ofBase) {
      started = true;
      addProjective(sum, base + (((abs(ofBase) - 1) >> 1) as usize) * PROJECTIVE_ADDEND, ofBase < 0, ofKey !== 0);
    }
    if (ofKey) {
      started = true;
      addProjective(sum, key + (((abs(ofKey) - 1) >> 1) as usize) * PROJECTIVE_ADDEND, ofKey > 0, false);
    }
  }
}

/**
 * Whether the point with these odd multiples is neutral when multiplied by the subgroup order (32
 * bytes and 8 zeros).
 */
export function vanishesTimes(key: usize, order: usize): bool {
  combine(0, 0, key, order);
  return isNeutral(sum);
}

/** Bytes of a fixed-base table. */
export function tableSize(window: i32, windows: i32): usize {
  return ((windows << (window - 1)) as usize) * ADDEND;
}

/** Prefix products for `normalize`, as many elements as the largest table has entries. */
let prefixes: usize = 0;
const MAX_ENTRIES: usize = 4096;

/**
 * Multiples 1 … 2^(window − 1) of the point times 2^(window·w), for each window w, as affine
 * addends with one inversion.
 * @param x - Of this curve.
 */
export function buildTable(out: usize, x: usize, y: usize, window: i32, windows: i32): void {
  const half = 1 << (window - 1);
  setAffine(sum, x, y);
  let entry = out;
  for (let w = 0; w < windows; w++) {
    toProjectiveAddend(step, sum);
    for (let i = 1; ; i++) {
      memory.copy(entry, sum, 3 * ELEMENT);
      entry += ADDEND;
      if (i === half) break;
      addProjective(sum, step, false, true);
    }
    double(sum, true);
  }
  normalize(out, windows * half);
}

/** Affine addends in the place of the X, Y, Z of `count` points. */
function normalize(table: usize, count: i32): void {
  if (!prefixes) prefixes = allocate(MAX_ENTRIES * ELEMENT);
  let entry = table;
  let prefix = prefixes;
  copy(prefix, entry + 2 * ELEMENT);
  for (let i = 1; i < count; i++) {
    entry += ADDEND;
    mul(prefix + ELEMENT, prefix, entry + 2 * ELEMENT);
    prefix += ELEMENT;
  }
  invert(inverse, prefix);
  for (let i = count - 1; i >= 0; i--) {
    // 1/Z of this entry; `inverse` goes on as that of the product of those before it.
    if (i > 0) {
      prefix -= ELEMENT;
      mul(affineY, inverse, prefix);
      mul(inverse, inverse, entry + 2 * ELEMENT);
    } else copy(affineY, inverse);
    mul(affineX, entry, affineY);
    mul(affineY, entry + ELEMENT, affineY);
    toAffineAddend(entry, affineX, affineY);
    entry -= ADDEND;
  }
}

/** Adds ± the multiple from a table: one addition a window. */
function addFromTable(table: usize, window: i32, windows: i32, scalar: usize, negative: bool): void {
  const half = 1 << (window - 1);
  let carry = 0;
  for (let w = 0; w < windows; w++) {
    let digit = bitsAt(scalar, w * window, window) + carry;
    carry = digit > half ? 1 : 0;
    if (carry) digit -= 2 * half;
    if (digit) addAffine(sum, table + ((abs(digit) - 1) as usize) * ADDEND, negative !== digit < 0, true);
    table += (half as usize) * ADDEND;
  }
}

/**
 * Windows of the public tables: 32 windows of 128 multiples for the base point, 36 of 64 for a key.
 */
export const BASE_TABLE_WINDOW: i32 = 8;
export const BASE_TABLE_WINDOWS: i32 = 32;
export const KEY_TABLE_WINDOW: i32 = 7;
export const KEY_TABLE_WINDOWS: i32 = 36;

/** Address of `s·B − c·A`, from tables of both points. Scalars: 32 bytes and 8 zeros. */
export function differenceFromTables(baseTable: usize, s: usize, keyTable: usize, c: usize): usize {
  setNeutral(sum);
  addFromTable(baseTable, BASE_TABLE_WINDOW, BASE_TABLE_WINDOWS, s, false);
  addFromTable(keyTable, KEY_TABLE_WINDOW, KEY_TABLE_WINDOWS, c, true);
  return sum;
}

/** Address of `s·B − c·A`, from odd multiples of both points. */
export function differenceFromMultiples(base: usize, s: usize, key: usize, c: usize): usize {
  combine(base, s, key, c);
  return sum;
}
