/**
 * The field of coordinates and Poseidon elements, in Montgomery form: an element x is kept as x·R
 * modulo p with R = 2^261, as nine limbs of 29 bits, least significant first, each in an unsigned
 * 32-bit word.
 *
 * A product of two limbs has 58 bits, so a column of nine products and nine more of the reduction
 * fits 64 bits without a carry in between; that is why the limbs are not full words. Measured in
 * units u = 2^29: a stored result of `mul` has limbs of at most 1 u, `add` and `subtract` do not
 * carry, and `mul` takes operands whose bounds have a product of at most 6 u² (9·6·2^58 + 9·2^58 +
 * carry < 2^64). Values are not canonical: `mul` gives less than 2p while the product of its
 * operands is below 160·p² (R > 168·p).
 *
 * No branch, no memory address and no loop count depends on a value.
 */

/** Bits of a limb, and its mask. */
export const BITS: u64 = 29;
export const MASK: u64 = 0x1fffffff;
/** Bytes of an element. */
export const ELEMENT: usize = 36;

/** The limbs of the prime but the lowest, which is 2^28 + 1. */
const P1: u64 = 0x1f0fac9f;
const P2: u64 = 0x0e5c2450;
const P3: u64 = 0x07d090f3;
const P4: u64 = 0x1585d283;
const P5: u64 = 0x02db40c0;
const P6: u64 = 0x00a6e141;
const P7: u64 = 0x0e5c2634;
const P8: u64 = 0x0030644e;

/**
 * R² modulo p, which brings an integer into Montgomery form, and R modulo p, which is the element
 * 1.
 */
const R_SQUARED = memory.data<u32>([
  0x05b69bd4, 0x06170a5a, 0x020cddce, 0x1db6310b, 0x0e54d0ff, 0x1cf855e3, 0x1c15e103, 0x07d09161, 0x000a054a,
]);
export const ONE = memory.data<u32>([
  0x0fffff57, 0x1ea70ab4, 0x052c068b, 0x17504f49, 0x0aa8075b, 0x1d4240ce, 0x11d54c07, 0x052ac7a8, 0x000dc836,
]);
const INTEGER_ONE = memory.data<u32>([1, 0, 0, 0, 0, 0, 0, 0, 0]);

/**
 * Gives q below 2^29 for which `c + q·p` has a lowest limb of 0: −c/p modulo 2^29. A shift does the
 * multiplication, because 1/p is −(2^28 − 1) there.
 */
function quotient(c: u64): u64 {
  return ((c << 28) - c) & MASK;
}

/** `(c + q·(2^28 + 1)) / 2^29`, the carry to the next column. */
function carried(c: u64, q: u64): u64 {
  return (c + q + (q << 28)) >> BITS;
}

/** `out = a·b`. Operand bounds (in u) have a product of at most 6; `out` may be an operand. */
export function mul(out: usize, a: usize, b: usize): void {
  const a0 = load<u32>(a) as u64;
  const a1 = load<u32>(a, 4) as u64;
  const a2 = load<u32>(a, 8) as u64;
  const a3 = load<u32>(a, 12) as u64;
  const a4 = load<u32>(a, 16) as u64;
  const a5 = load<u32>(a, 20) as u64;
  const a6 = load<u32>(a, 24) as u64;
  const a7 = load<u32>(a, 28) as u64;
  const a8 = load<u32>(a, 32) as u64;
  const b0 = load<u32>(b) as u64;
  const b1 = load<u32>(b, 4) as u64;
  const b2 = load<u32>(b, 8) as u64;
  const b3 = load<u32>(b, 12) as u64;
  const b4 = load<u32>(b, 16) as u64;
  const b5 = load<u32>(b, 20) as u64;
  const b6 = load<u32>(b, 24) as u64;
  const b7 = load<u32>(b, 28) as u64;
  const b8 = load<u32>(b, 32) as u64;
  let c: u64;
  c = a0 * b0;
  const q0 = quotient(c);
  c = carried(c, q0);
  c += a0 * b1 + a1 * b0 + q0 * P1;
  const q1 = quotient(c);
  c = carried(c, q1);
  c += a0 * b2 + a1 * b1 + a2 * b0 + q0 * P2 + q1 * P1;
  const q2 = quotient(c);
  c = carried(c, q2);
  c += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + q0 * P3 + q1 * P2 + q2 * P1;
  const q3 = quotient(c);
  c = carried(c, q3);
  c += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + q0 * P4 + q1 * P3 + q2 * P2 + q3 * P1;
  const q4 = quotient(c);
  c = carried(c, q4);
  c += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + q0 * P5 + q1 * P4 + q2 * P3 + q3 * P2 + q4 * P1;
  const q5 = quotient(c);
  c = carried(c, q5);
  c +=
    a0 * b6 +
    a1 * b5 +
    a2 * b4 +
    a3 * b3 +
    a4 * b2 +
    a5 * b1 +
    a6 * b0 +
    q0 * P6 +
    q1 * P5 +
    q2 * P4 +
    q3 * P3 +
    q4 * P2 +
    q5 * P1;
  const q6 = quotient(c);
  c = carried(c, q6);
  c +=
    a0 * b7 +
    a1 * b6 +
    a2 * b5 +
    a3 * b4 +
    a4 * b3 +
    a5 * b2 +
    a6 * b1 +
    a7 * b0 +
    q0 * P7 +
    q1 * P6 +
    q2 * P5 +
    q3 * P4 +
    q4 * P3 +
    q5 * P2 +
    q6 * P1;
  const q7 = quotient(c);
  c = carried(c, q7);
  c +=
    a0 * b8 +
    a1 * b7 +
    a2 * b6 +
    a3 * b5 +
    a4 * b4 +
    a5 * b3 +
    a6 * b2 +
    a7 * b1 +
    a8 * b0 +
    q0 * P8 +
    q1 * P7 +
    q2 * P6 +
    q3 * P5 +
    q4 * P4 +
    q5 * P3 +
    q6 * P2 +
    q7 * P1;
  const q8 = quotient(c);
  c = carried(c, q8);
  c +=
    a1 * b8 +
    a2 * b7 +
    a3 * b6 +
    a4 * b5 +
    a5 * b4 +
    a6 * b3 +
    a7 * b2 +
    a8 * b1 +
    q1 * P8 +
    q2 * P7 +
    q3 * P6 +
    q4 * P5 +
    q5 * P4 +
    q6 * P3 +
    q7 * P2 +
    q8 * P1;
  store<u32>(out, (c & MASK) as u32);
  c >>= BITS;
  c +=
    a2 * b8 +
    a3 * b7 +
    a4 * b6 +
    a5 * b5 +
    a6 * b4 +
    a7 * b3 +
    a8 * b2 +
    q2 * P8 +
    q3 * P7 +
    q4 * P6 +
    q5 * P5 +
    q6 * P4 +
    q7 * P3 +
    q8 * P2;
  store<u32>(out, (c & MASK) as u32, 4);
  c >>= BITS;
  c +=
    a3 * b8 +
    a4 * b7 +
    a5 * b6 +
    a6 * b5 +
    a7 * b4 +
    a8 * b3 +
    q3 * P8 +
    q4 * P7 +
    q5 * P6 +
    q6 * P5 +
    q7 * P4 +
    q8 * P3;
  store<u32>(out, (c & MASK) as u32, 8);
  c >>= BITS;
  c += a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + q4 * P8 + q5 * P7 + q6 * P6 + q7 * P5 + q8 * P4;
  store<u32>(out, (c & MASK) as u32, 12);
  c >>= BITS;
  c += a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + q5 * P8 + q6 * P7 + q7 * P6 + q8 * P5;
  store<u32>(out, (c & MASK) as u32, 16);
  c >>= BITS;
  c += a6 * b8 + a7 * b7 + a8 * b6 + q6 * P8 + q7 * P7 + q8 * P6;
  store<u32>(out, (c & MASK) as u32, 20);
  c >>= BITS;
  c += a7 * b8 + a8 * b7 + q7 * P8 + q8 * P7;
  store<u32>(out, (c & MASK) as u32, 24);
  c >>= BITS;
  c += a8 * b8 + q8 * P8;
  store<u32>(out, (c & MASK) as u32, 28);
  c >>= BITS;
  store<u32>(out, c as u32, 32);
}

/** `out = a²`, for a bound of at most 2 u. */
export function square(out: usize, a: usize): void {
  const a0 = load<u32>(a) as u64;
  const a1 = load<u32>(a, 4) as u64;
  const a2 = load<u32>(a, 8) as u64;
  const a3 = load<u32>(a, 12) as u64;
  const a4 = load<u32>(a, 16) as u64;
  const a5 = load<u32>(a, 20) as u64;
  const a6 = load<u32>(a, 24) as u64;
  const a7 = load<u32>(a, 28) as u64;
  const a8 = load<u32>(a, 32) as u64;
  const d1 = a1 << 1;
  const d2 = a2 << 1;
  const d3 = a3 << 1;
  const d4 = a4 << 1;
  const d5 = a5 << 1;
  const d6 = a6 << 1;
  const d7 = a7 << 1;
  const d8 = a8 << 1;
  let c: u64;
  c = a0 * a0;
  const q0 = quotient(c);
  c = carried(c, q0);
  c += a0 * d1 + q0 * P1;
  const q1 = quotient(c);
  c = carried(c, q1);
  c += a0 * d2 + a1 * a1 + q0 * P2 + q1 * P1;
  const q2 = quotient(c);
  c = carried(c, q2);
  c += a0 * d3 + a1 * d2 + q0 * P3 + q1 * P2 + q2 * P1;
  const q3 = quotient(c);
  c = carried(c, q3);
  c += a0 * d4 + a1 * d3 + a2 * a2 + q0 * P4 + q1 * P3 + q2 * P2 + q3 * P1;
  const q4 = quotient(c);
  c = carried(c, q4);
  c += a0 * d5 + a1 * d4 + a2 * d3 + q0 * P5 + q1 * P4 + q2 * P3 + q3 * P2 + q4 * P1;
  const q5 = quotient(c);
  c = carried(c, q5);
  c += a0 * d6 + a1 * d5 + a2 * d4 + a3 * a3 + q0 * P6 + q1 * P5 + q2 * P4 + q3 * P3 + q4 * P2 + q5 * P1;
  const q6 = quotient(c);
  c = carried(c, q6);
  c += a0 * d7 + a1 * d6 + a2 * d5 + a3 * d4 + q0 * P7 + q1 * P6 + q2 * P5 + q3 * P4 + q4 * P3 + q5 * P2 + q6 * P1;
  const q7 = quotient(c);
  c = carried(c, q7);
  c +=
    a0 * d8 +
    a1 * d7 +
    a2 * d6 +
    a3 * d5 +
    a4 * a4 +
    q0 * P8 +
    q1 * P7 +
    q2 * P6 +
    q3 * P5 +
    q4 * P4 +
    q5 * P3 +
    q6 * P2 +
    q7 * P1;
  const q8 = quotient(c);
  c = carried(c, q8);
  c +=
    a1 * d8 +
    a2 * d7 +
    a3 * d6 +
    a4 * d5 +
    q1 * P8 +
    q2 * P7 +
    q3 * P6 +
    q4 * P5 +
    q5 * P4 +
    q6 * P3 +
    q7 * P2 +
    q8 * P1;
  store<u32>(out, (c & MASK) as u32);
  c >>= BITS;
  c += a2 * d8 + a3 * d7 + a4 * d6 + a5 * a5 + q2 * P8 + q3 * P7 + q4 * P6 + q5 * P5 + q6 * P4 + q7 * P3 + q8 * P2;
  store<u32>(out, (c & MASK) as u32, 4);
  c >>= BITS;
  c += a3 * d8 + a4 * d7 + a5 * d6 + q3 * P8 + q4 * P7 + q5 * P6 + q6 * P5 + q7 * P4 + q8 * P3;
  store<u32>(out, (c & MASK) as u32, 8);
  c >>= BITS;
  c += a4 * d8 + a5 * d7 + a6 * a6 + q4 * P8 + q5 * P7 + q6 * P6 + q7 * P5 + q8 * P4;
  store<u32>(out, (c & MASK) as u32, 12);
  c >>= BITS;
  c += a5 * d8 + a6 * d7 + q5 * P8 + q6 * P7 + q7 * P6 + q8 * P5;
  store<u32>(out, (c & MASK) as u32, 16);
  c >>= BITS;
  c += a6 * d8 + a7 * a7 + q6 * P8 + q7 * P7 + q8 * P6;
  store<u32>(out, (c & MASK) as u32, 20);
  c >>= BITS;
  c += a7 * d8 + q7 * P8 + q8 * P7;
  store<u32>(out, (c & MASK) as u32, 24);
  c >>= BITS;
  c += a8 * a8 + q8 * P8;
  store<u32>(out, (c & MASK) as u32, 28);
  c >>= BITS;
  store<u32>(out, c as u32, 32);
}

/**
 * `out` = the sum of the 17 columns (64-bit words, column k in units of 2^(29·k)) divided by R
 * modulo p. A column is below 2^63; the whole below 160·p².
 */
export function reduceColumns(out: usize, columns: usize): void {
  let c: u64;
  c = load<u64>(columns);
  const q0 = quotient(c);
  c = carried(c, q0);
  c += load<u64>(columns, 8) + q0 * P1;
  const q1 = quotient(c);
  c = carried(c, q1);
  c += load<u64>(columns, 16) + q0 * P2 + q1 * P1;
  const q2 = quotient(c);
  c = carried(c, q2);
  c += load<u64>(columns, 24) + q0 * P3 + q1 * P2 + q2 * P1;
  const q3 = quotient(c);
  c = carried(c, q3);
  c += load<u64>(columns, 32) + q0 * P4 + q1 * P3 + q2 * P2 + q3 * P1;
  const q4 = quotient(c);
  c = carried(c, q4);
  c += load<u64>(columns, 40) + q0 * P5 + q1 * P4 + q2 * P3 + q3 * P2 + q4 * P1;
  const q5 = quotient(c);
  c = carried(c, q5);
  c += load<u64>(columns, 48) + q0 * P6 + q1 * P5 + q2 * P4 + q3 * P3 + q4 * P2 + q5 * P1;
  const q6 = quotient(c);
  c = carried(c, q6);
  c += load<u64>(columns, 56) + q0 * P7 + q1 * P6 + q2 * P5 + q3 * P4 + q4 * P3 + q5 * P2 + q6 * P1;
  const q7 = quotient(c);
  c = carried(c, q7);
  c += load<u64>(columns, 64) + q0 * P8 + q1 * P7 + q2 * P6 + q3 * P5 + q4 * P4 + q5 * P3 + q6 * P2 + q7 * P1;
  const q8 = quotient(c);
  c = carried(c, q8);
  c += load<u64>(columns, 72) + q1 * P8 + q2 * P7 + q3 * P6 + q4 * P5 + q5 * P4 + q6 * P3 + q7 * P2 + q8 * P1;
  store<u32>(out, (c & MASK) as u32);
  c >>= BITS;
  c += load<u64>(columns, 80) + q2 * P8 + q3 * P7 + q4 * P6 + q5 * P5 + q6 * P4 + q7 * P3 + q8 * P2;
  store<u32>(out, (c & MASK) as u32, 4);
  c >>= BITS;
  c += load<u64>(columns, 88) + q3 * P8 + q4 * P7 + q5 * P6 + q6 * P5 + q7 * P4 + q8 * P3;
  store<u32>(out, (c & MASK) as u32, 8);
  c >>= BITS;
  c += load<u64>(columns, 96) + q4 * P8 + q5 * P7 + q6 * P6 + q7 * P5 + q8 * P4;
  store<u32>(out, (c & MASK) as u32, 12);
  c >>= BITS;
  c += load<u64>(columns, 104) + q5 * P8 + q6 * P7 + q7 * P6 + q8 * P5;
  store<u32>(out, (c & MASK) as u32, 16);
  c >>= BITS;
  c += load<u64>(columns, 112) + q6 * P8 + q7 * P7 + q8 * P6;
  store<u32>(out, (c & MASK) as u32, 20);
  c >>= BITS;
  c += load<u64>(columns, 120) + q7 * P8 + q8 * P7;
  store<u32>(out, (c & MASK) as u32, 24);
  c >>= BITS;
  c += load<u64>(columns, 128) + q8 * P8;
  store<u32>(out, (c & MASK) as u32, 28);
  c >>= BITS;
  store<u32>(out, c as u32, 32);
}

/** `out = a + b`; the bound is the sum of the bounds. */
export function add(out: usize, a: usize, b: usize): void {
  store<u32>(out, load<u32>(a) + load<u32>(b));
  store<u32>(out, load<u32>(a, 4) + load<u32>(b, 4), 4);
  store<u32>(out, load<u32>(a, 8) + load<u32>(b, 8), 8);
  store<u32>(out, load<u32>(a, 12) + load<u32>(b, 12), 12);
  store<u32>(out, load<u32>(a, 16) + load<u32>(b, 16), 16);
  store<u32>(out, load<u32>(a, 20) + load<u32>(b, 20), 20);
  store<u32>(out, load<u32>(a, 24) + load<u32>(b, 24), 24);
  store<u32>(out, load<u32>(a, 28) + load<u32>(b, 28), 28);
  store<u32>(out, load<u32>(a, 32) + load<u32>(b, 32), 32);
}

/**
 * `out = a − b + 4p`, for b at most 1 u and below 2p; the bound is that of `a` plus 2 u. 4p is
 * written with limbs that exceed any limb of b.
 */
export function subtract(out: usize, a: usize, b: usize): void {
  store<u32>(out, load<u32>(a) + 0x20000004 - load<u32>(b));
  store<u32>(out, load<u32>(a, 4) + 0x3c3eb27d - load<u32>(b, 4), 4);
  store<u32>(out, load<u32>(a, 8) + 0x39709142 - load<u32>(b, 8), 8);
  store<u32>(out, load<u32>(a, 12) + 0x3f4243cc - load<u32>(b, 12), 12);
  store<u32>(out, load<u32>(a, 16) + 0x36174a0b - load<u32>(b, 16), 16);
  store<u32>(out, load<u32>(a, 20) + 0x2b6d0301 - load<u32>(b, 20), 20);
  store<u32>(out, load<u32>(a, 24) + 0x229b8503 - load<u32>(b, 24), 24);
  store<u32>(out, load<u32>(a, 28) + 0x397098cf - load<u32>(b, 28), 28);
  store<u32>(out, load<u32>(a, 32) + 0x00c19138 - load<u32>(b, 32), 32);
}

/** Carries, so that the bound of the element is 1 u again; its value (below 2^261) stays. */
export function carry(element: usize): void {
  let c: u64 = 0;
  for (let i: usize = 0; i < 32; i += 4) {
    c += load<u32>(element + i);
    store<u32>(element + i, (c & MASK) as u32);
    c >>= BITS;
  }
  store<u32>(element, load<u32>(element, 32) + (c as u32), 32);
}

export function copy(out: usize, a: usize): void {
  memory.copy(out, a, ELEMENT);
}

/** `out = −a` (as 4p − a), bound 2 u, for a at most 1 u. */
export function negate(out: usize, a: usize): void {
  subtract(out, ZERO, a);
}

const ZERO = memory.data<u32>([0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Reads 32 little-endian bytes as nine limbs, an integer that is not in Montgomery form. */
export function integerFromBytes(out: usize, bytes: usize): void {
  for (let i: usize = 0; i < 8; i++) {
    const bit: usize = 29 * i;
    store<u32>(out + 4 * i, ((load<u64>(bytes + (bit >> 3)) >> (bit & 7)) & MASK) as u32);
  }
  store<u32>(out, load<u32>(bytes, 28) >> 8, 32);
}

/** Writes nine limbs of an integer below 2^256 as 32 little-endian bytes. */
export function integerToBytes(bytes: usize, integer: usize): void {
  let word: u64 = 0;
  let filled: u64 = 0;
  let at = bytes;
  for (let i: usize = 0; i < 36; i += 4) {
    word |= (load<u32>(integer + i) as u64) << filled;
    filled += BITS;
    if (filled >= 32) {
      store<u32>(at, word as u32);
      at += 4;
      word >>= 32;
      filled -= 32;
    }
  }
}

/** `out = a` in Montgomery form, from 32 little-endian bytes of an integer below p. */
export function fromBytes(out: usize, bytes: usize): void {
  integerFromBytes(out, bytes);
  mul(out, out, R_SQUARED);
}

/**
 * Subtracts the modulus from an integer of nine carried limbs when it is not below it, by masks.
 * @param modulus - Nine limbs.
 */
export function subtractOnce(integer: usize, modulus: usize): void {
  let borrow: i64 = 0;
  for (let i: usize = 0; i < 36; i += 4) {
    borrow += (load<u32>(integer + i) as i64) - (load<u32>(modulus + i) as i64);
    borrow >>= BITS as i64;
  }
  // −1 when the integer is smaller: then nothing is subtracted.
  const keep = ~(borrow as u32);
  let c: i64 = 0;
  for (let i: usize = 0; i < 36; i += 4) {
    c += (load<u32>(integer + i) as i64) - ((load<u32>(modulus + i) & keep) as i64);
    store<u32>(integer + i, (c & (MASK as i64)) as u32);
    c >>= BITS as i64;
  }
}

const PRIME = memory.data<u32>([
  0x10000001, 0x1f0fac9f, 0x0e5c2450, 0x07d090f3, 0x1585d283, 0x02db40c0, 0x00a6e141, 0x0e5c2634, 0x0030644e,
]);

/** `out` = the integer of an element, in `[0, p)`; bound of the element at most 6 u. */
export function toInteger(out: usize, a: usize): void {
  // a·1/R is at most p, and p itself only for a multiple of p.
  mul(out, a, INTEGER_ONE);
  subtractOnce(out, PRIME);
}

/** Writes the element as 32 little-endian bytes of its integer in `[0, p)`. */
export function toBytes(bytes: usize, a: usize): void {
  toInteger(INTEGER, a);
  integerToBytes(bytes, INTEGER);
}

const INTEGER = memory.data(36, 16);

/** Whether the element is 0 modulo p. For public values: the answer is branched on. */
export function isZero(a: usize): bool {
  toInteger(INTEGER, a);
  let any: u32 = 0;
  for (let i: usize = 0; i < 36; i += 4) any |= load<u32>(INTEGER + i);
  return any === 0;
}

/**
 * Adds words to a sum that any single changed bit changes; `sumOfConstants` and the like keep it of
 * what must not change.
 */
export function sumWords(sum: u64, at: usize, bytes: usize): u64 {
  let weighted: u64 = sum;
  for (const end = at + bytes; at < end; at += 4) {
    sum += load<u32>(at) as u64;
    weighted += sum;
  }
  return weighted;
}

/** Sum of the constants that bring numbers in and out of Montgomery form. */
export function sumOfConstants(): u64 {
  let sum = sumWords(0, R_SQUARED, ELEMENT);
  sum = sumWords(sum, INTEGER_ONE, ELEMENT);
  sum = sumWords(sum, PRIME, ELEMENT);
  return sumWords(sum, ONE, ELEMENT);
}

/** p − 2 in 64 digits of four bits, least significant first. */
const INVERSE_EXPONENT = memory.data<u32>([
  0xefffffff, 0x43e1f593, 0x79b97091, 0x2833e848, 0x8181585d, 0xb85045b6, 0xe131a029, 0x30644e72,
]);
const POWERS = memory.data(16 * 36, 16);
const RESULT = memory.data(36, 16);

/**
 * `out = 1/a` by Fermat: the steps are the same for every a, and 0 gives 0. Bound of a at most 2 u.
 */
export function invert(out: usize, a: usize): void {
  copy(POWERS, ONE);
  mul(POWERS + ELEMENT, a, ONE);
  for (let i: usize = 2; i < 16; i++) mul(POWERS + i * ELEMENT, POWERS + (i - 1) * ELEMENT, POWERS + ELEMENT);
  copy(RESULT, ONE);
  for (let digit: i32 = 63; digit >= 0; digit--) {
    for (let i = 0; i < 4; i++) square(RESULT, RESULT);
    // The exponent is a constant, so this index tells nothing.
    const power = (load<u32>(INVERSE_EXPONENT + ((digit >> 3) << 2)) >> ((digit & 7) << 2)) & 15;
    mul(RESULT, RESULT, POWERS + (power as usize) * ELEMENT);
  }
  copy(out, RESULT);
  memory.fill(POWERS, 0, 16 * ELEMENT);
  memory.fill(RESULT, 0, ELEMENT);
}
