import { BITS, MASK, reduceColumns } from './field';

/**
 * Sums of products of field elements with one reduction for the whole sum, by Karatsuba's trick
 * twice.
 *
 * Nine limbs are three chunks of three. A product of two triples (u0, u1, u2)·(v0, v1, v2) needs
 * six products instead of nine: u0·v0, u1·v1, u2·v2, (u0+u1)(v0+v1), (u0+u2)(v0+v2),
 * (u1+u2)(v1+v2). Done with chunks and then with limbs, that is 36 products of words instead of 81.
 * The sums of limbs are made once for an element (its *expanded* form, 36 words, word 6·i + j for
 * sum j of the limbs of sum i of the chunks); then a sum of products is 36 independent sums of
 * products of words, and only their totals are put together. Totals wrap around 2^64 and come right
 * by the subtractions, because the columns themselves do not exceed 64 bits (see `GROUP`).
 */
export const EXPANDED: usize = 144;
/**
 * Summands between two carries of the columns. A column is at most 2^29 − 1, the largest limb of b,
 * times the sum of all limbs of a in the group, and a carry of less than 2^35 is added. That fits
 * 64 bits while the sum is at most 2^35: for any seven elements, and for any 13 coefficients that
 * stand together in the tables of Poseidon, as `arithmetic.fuzz.test.ts` computes for each row.
 */
export const GROUP: i32 = 13;

const products = memory.data(36 * 8, 16);
const columns = memory.data(17 * 8, 16);

/** The expanded form of an element with a bound of 1 u. */
export function expand(out: usize, a: usize): void {
  const a0 = load<u32>(a);
  const a1 = load<u32>(a, 4);
  const a2 = load<u32>(a, 8);
  const a3 = load<u32>(a, 12);
  const a4 = load<u32>(a, 16);
  const a5 = load<u32>(a, 20);
  const a6 = load<u32>(a, 24);
  const a7 = load<u32>(a, 28);
  const a8 = load<u32>(a, 32);
  expandChunk(out, a0, a1, a2);
  expandChunk(out + 24, a3, a4, a5);
  expandChunk(out + 48, a6, a7, a8);
  expandChunk(out + 72, a0 + a3, a1 + a4, a2 + a5);
  expandChunk(out + 96, a0 + a6, a1 + a7, a2 + a8);
  expandChunk(out + 120, a3 + a6, a4 + a7, a5 + a8);
}

function expandChunk(out: usize, u0: u32, u1: u32, u2: u32): void {
  store<u32>(out, u0);
  store<u32>(out, u1, 4);
  store<u32>(out, u2, 8);
  store<u32>(out, u0 + u1, 12);
  store<u32>(out, u0 + u2, 16);
  store<u32>(out, u1 + u2, 20);
}

/** Sums of the 36 products of words over `count` summands, 12 words at a time; strides in bytes. */
function multiplyWords(a: usize, b: usize, count: i32, strideB: usize): void {
  for (let word: usize = 0; word < EXPANDED; word += 48) {
    let s0 = i64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    let s4 = s0;
    let s5 = s0;
    let atA = a + word;
    let atB = b + word;
    for (let i = 0; i < count; i++) {
      const a0 = v128.load(atA);
      const b0 = v128.load(atB);
      const a1 = v128.load(atA, 16);
      const b1 = v128.load(atB, 16);
      const a2 = v128.load(atA, 32);
      const b2 = v128.load(atB, 32);
      s0 = i64x2.add(s0, i64x2.extmul_low_i32x4_u(a0, b0));
      s1 = i64x2.add(s1, i64x2.extmul_high_i32x4_u(a0, b0));
      s2 = i64x2.add(s2, i64x2.extmul_low_i32x4_u(a1, b1));
      s3 = i64x2.add(s3, i64x2.extmul_high_i32x4_u(a1, b1));
      s4 = i64x2.add(s4, i64x2.extmul_low_i32x4_u(a2, b2));
      s5 = i64x2.add(s5, i64x2.extmul_high_i32x4_u(a2, b2));
      atA += EXPANDED;
      atB += strideB;
    }
    const out = products + 2 * word;
    v128.store(out, s0);
    v128.store(out, s1, 16);
    v128.store(out, s2, 32);
    v128.store(out, s3, 48);
    v128.store(out, s4, 64);
    v128.store(out, s5, 80);
  }
}

/**
 * Adds the columns of the products to `columns`, carried. `pN` is product N, `zMN` column N of the
 * product of chunk sum M.
 */
function collectColumns(): void {
  const p0 = load<u64>(products);
  const p1 = load<u64>(products, 8);
  const p2 = load<u64>(products, 16);
  const p3 = load<u64>(products, 24);
  const p4 = load<u64>(products, 32);
  const p5 = load<u64>(products, 40);
  const z01 = p3 - p0 - p1;
  const z02 = p4 - p0 - p2 + p1;
  const z03 = p5 - p1 - p2;
  const p6 = load<u64>(products, 48);
  const p7 = load<u64>(products, 56);
  const p8 = load<u64>(products, 64);
  const p9 = load<u64>(products, 72);
  const p10 = load<u64>(products, 80);
  const p11 = load<u64>(products, 88);
  const z11 = p9 - p6 - p7;
  const z12 = p10 - p6 - p8 + p7;
  const z13 = p11 - p7 - p8;
  const p12 = load<u64>(products, 96);
  const p13 = load<u64>(products, 104);
  const p14 = load<u64>(products, 112);
  const p15 = load<u64>(products, 120);
  const p16 = load<u64>(products, 128);
  const p17 = load<u64>(products, 136);
  const z21 = p15 - p12 - p13;
  const z22 = p16 - p12 - p14 + p13;
  const z23 = p17 - p13 - p14;
  const p18 = load<u64>(products, 144);
  const p19 = load<u64>(products, 152);
  const p20 = load<u64>(products, 160);
  const p21 = load<u64>(products, 168);
  const p22 = load<u64>(products, 176);
  const p23 = load<u64>(products, 184);
  const z31 = p21 - p18 - p19;
  const z32 = p22 - p18 - p20 + p19;
  const z33 = p23 - p19 - p20;
  const p24 = load<u64>(products, 192);
  const p25 = load<u64>(products, 200);
  const p26 = load<u64>(products, 208);
  const p27 = load<u64>(products, 216);
  const p28 = load<u64>(products, 224);
  const p29 = load<u64>(products, 232);
  const z41 = p27 - p24 - p25;
  const z42 = p28 - p24 - p26 + p25;
  const z43 = p29 - p25 - p26;
  const p30 = load<u64>(products, 240);
  const p31 = load<u64>(products, 248);
  const p32 = load<u64>(products, 256);
  const p33 = load<u64>(products, 264);
  const p34 = load<u64>(products, 272);
  const p35 = load<u64>(products, 280);
  const z51 = p33 - p30 - p31;
  const z52 = p34 - p30 - p32 + p31;
  const z53 = p35 - p31 - p32;
  let c = p0;
  store<u64>(columns, load<u64>(columns) + (c & MASK));
  c >>= BITS;
  c += z01;
  store<u64>(columns, load<u64>(columns, 8) + (c & MASK), 8);
  c >>= BITS;
  c += z02;
  store<u64>(columns, load<u64>(columns, 16) + (c & MASK), 16);
  c >>= BITS;
  c += z03 + (p18 - p0 - p6);
  store<u64>(columns, load<u64>(columns, 24) + (c & MASK), 24);
  c >>= BITS;
  c += p2 + (z31 - z01 - z11);
  store<u64>(columns, load<u64>(columns, 32) + (c & MASK), 32);
  c >>= BITS;
  c += z32 - z02 - z12;
  store<u64>(columns, load<u64>(columns, 40) + (c & MASK), 40);
  c >>= BITS;
  c += z33 - z03 - z13 + (p24 - p0 - p12 + p6);
  store<u64>(columns, load<u64>(columns, 48) + (c & MASK), 48);
  c >>= BITS;
  c += p20 - p2 - p8 + (z41 - z01 - z21 + z11);
  store<u64>(columns, load<u64>(columns, 56) + (c & MASK), 56);
  c >>= BITS;
  c += z42 - z02 - z22 + z12;
  store<u64>(columns, load<u64>(columns, 64) + (c & MASK), 64);
  c >>= BITS;
  c += z43 - z03 - z23 + z13 + (p30 - p6 - p12);
  store<u64>(columns, load<u64>(columns, 72) + (c & MASK), 72);
  c >>= BITS;
  c += p26 - p2 - p14 + p8 + (z51 - z11 - z21);
  store<u64>(columns, load<u64>(columns, 80) + (c & MASK), 80);
  c >>= BITS;
  c += z52 - z12 - z22;
  store<u64>(columns, load<u64>(columns, 88) + (c & MASK), 88);
  c >>= BITS;
  c += z53 - z13 - z23 + p12;
  store<u64>(columns, load<u64>(columns, 96) + (c & MASK), 96);
  c >>= BITS;
  c += p32 - p8 - p14 + z21;
  store<u64>(columns, load<u64>(columns, 104) + (c & MASK), 104);
  c >>= BITS;
  c += z22;
  store<u64>(columns, load<u64>(columns, 112) + (c & MASK), 112);
  c >>= BITS;
  c += z23;
  store<u64>(columns, load<u64>(columns, 120) + (c & MASK), 120);
  c >>= BITS;
  c += p14;
  store<u64>(columns, load<u64>(columns, 128) + c, 128);
}

export function beginSum(): void {
  memory.fill(columns, 0, 17 * 8);
}

/**
 * Adds `Σ a[i]·b[i]` to the running sum.
 * @param a - Expanded coefficients of the tables, one behind the other; `GROUP` says why no others.
 * @param b - Expanded elements with a bound of 1 u.
 * @param strideB - Bytes from one expanded element of b to the next.
 */
export function addProducts(a: usize, b: usize, count: i32, strideB: usize): void {
  while (count > 0) {
    const group = min(count, GROUP);
    multiplyWords(a, b, group, strideB);
    collectColumns();
    a += (group as usize) * EXPANDED;
    b += (group as usize) * strideB;
    count -= group;
  }
}

/**
 * `out` = the running sum as an element (bound 1 u, below 2p while the summands are below 150·p²
 * together).
 */
export function endSum(out: usize): void {
  reduceColumns(out, columns);
}
