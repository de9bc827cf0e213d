import { add, BITS, carry, integerFromBytes, MASK, subtractOnce } from './field';

/**
 * Integers modulo the subgroup order L (251 bits), as nine limbs of 29 bits, for secret scalars.
 * The loops are short and their counts fixed; a signature comes here a few times only.
 */
const ORDER = memory.data<u32>([
  0x192126f1, 0x1b94bee1, 0x083b8299, 0x1ddb7072, 0x02b0bab3, 0x045b6818, 0x1014dc28, 0x19cb84c6, 0x00060c89,
]);
/** −1/L modulo 2^29. */
const N0: u64 = 0x1c48f5ef;
/** R and R² modulo L, R = 2^261. */
const R = memory.data<u32>([
  0x16a80956, 0x1f4669ce, 0x153f3e36, 0x155f43af, 0x05448452, 0x148b709e, 0x11ab93b7, 0x1193be1b, 0x0001af22,
]);
const R_SQUARED = memory.data<u32>([
  0x1a277d5d, 0x0440c552, 0x0eb25d5a, 0x12a91d12, 0x0abdceef, 0x12585826, 0x035d6897, 0x1f152bb7, 0x00016b61,
]);

/** Bytes of nine limbs. */
const SIZE: usize = 36;
const columns = memory.data(18 * 8, 16);
const high = memory.data(36, 16);

/** `out = a·b/R` modulo L, less than L + a·b/R. */
function montgomeryProduct(out: usize, a: usize, b: usize): void {
  memory.fill(columns, 0, 18 * 8);
  for (let i: usize = 0; i < 9; i++) {
    const limb = load<u32>(a + 4 * i) as u64;
    const column = columns + 8 * i;
    for (let j: usize = 0; j < 9; j++)
      store<u64>(column + 8 * j, load<u64>(column + 8 * j) + limb * (load<u32>(b + 4 * j) as u64));
    const q = (load<u64>(column) * N0) & MASK;
    for (let j: usize = 0; j < 9; j++)
      store<u64>(column + 8 * j, load<u64>(column + 8 * j) + q * (load<u32>(ORDER + 4 * j) as u64));
    store<u64>(column, load<u64>(column, 8) + (load<u64>(column) >> BITS), 8);
  }
  let c: u64 = 0;
  for (let i: usize = 0; i < 9; i++) {
    c += load<u64>(columns + 72 + 8 * i);
    store<u32>(out + 4 * i, (c & MASK) as u32);
    c >>= BITS;
  }
}

/** Below L from a carried integer below 4L. */
function reduceFully(integer: usize): void {
  subtractOnce(integer, ORDER);
  subtractOnce(integer, ORDER);
  subtractOnce(integer, ORDER);
}

/** `out` = 64 little-endian bytes modulo L, in `[0, L)`. */
export function reduceWide(out: usize, bytes: usize): void {
  // bytes = low + high·R with nine limbs each; low·R/R < 2L and high·R²/R < 2L.
  integerFromBits(out, bytes, 0);
  integerFromBits(high, bytes, 261);
  montgomeryProduct(out, out, R);
  montgomeryProduct(high, high, R_SQUARED);
  add(out, out, high);
  carry(out);
  reduceFully(out);
}

/** Nine limbs from a bit position on; 8 readable bytes follow the 64. */
function integerFromBits(out: usize, bytes: usize, from: usize): void {
  for (let i: usize = 0; i < 9; i++) {
    const bit: usize = from + 29 * i;
    store<u32>(out + 4 * i, ((load<u64>(bytes + (bit >> 3)) >> (bit & 7)) & MASK) as u32);
  }
}

/** `out = r + k·c` modulo L, in `[0, L)`; r and k below L, c below 2^261. */
export function multiplyAdd(out: usize, r: usize, k: usize, c: usize): void {
  montgomeryProduct(high, k, R_SQUARED);
  montgomeryProduct(high, high, c);
  add(out, high, r);
  carry(out);
  reduceFully(out);
}

/** `out = c` modulo L for an integer below the field prime (8L). Public. */
export function reducePublic(out: usize, c: usize): void {
  montgomeryProduct(out, c, R);
  reduceFully(out);
}

/**
 * Reads a secret scalar of 32 little-endian bytes.
 * @returns 1 when it is between 1 and L − 1, else 0; nothing else about it decides anything.
 */
export function scalarFromBytes(out: usize, bytes: usize): u32 {
  integerFromBytes(out, bytes);
  let any: u32 = 0;
  let borrow: i64 = 0;
  for (let i: usize = 0; i < SIZE; i += 4) {
    any |= load<u32>(out + i);
    borrow += (load<u32>(out + i) as i64) - (load<u32>(ORDER + i) as i64);
    borrow >>= BITS as i64;
  }
  return ((0 - any) >> 31) & ((borrow as u32) >> 31);
}

/** Wipes what the last operations left behind. */
export function wipeScalars(): void {
  memory.fill(columns, 0, 18 * 8);
  memory.fill(high, 0, SIZE);
}
