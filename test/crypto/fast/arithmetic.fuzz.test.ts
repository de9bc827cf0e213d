import { beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../../scripts/build/buildCore.ts';
import { Fp } from '../../../src/crypto/babyJubjub.ts';
import { BASE_X, BASE_Y } from '../../../src/crypto/constants.ts';
import {
  type AffinePoint,
  FIELD_PRIME,
  PARTIAL_ROUNDS,
  type PoseidonWidth,
  SUBGROUP_ORDER,
} from '../../../src/crypto/index.ts';
import { TWO_D, X_SCALE } from '../../../src/crypto/publicArithmetic.ts';
import { Point } from '../../support/curve.ts';
import { fuzz, fuzzFactor, fuzzSeed } from '../../support/fuzz.ts';
import type { Random } from '../../support/random.ts';
import { timesAnyPoint } from '../../support/vectorKinds/eddsaVerify.ts';
import { coefficientRows } from '../coefficientRows.ts';
import { lowOrderPoints, plus } from '../lowOrderPoints.ts';

/** The parts of the fast core, one by one, against BigInt and noble. */
const LIMB = 1 << 29;
const R = 1n << 261n;
const R_INVERSE = Fp.inv(R % FIELD_PRIME);
const widths = Object.keys(PARTIAL_ROUNDS).map(Number) as PoseidonWidth[];

interface Parts {
  memory: WebAssembly.Memory;
  BUFFER: WebAssembly.Global;
  GROUP: WebAssembly.Global;
  WINDOW: WebAssembly.Global;
  WINDOWS: WebAssembly.Global;
  [name: string]: unknown;
}
let parts: Parts;
let words: Uint32Array;
let bytes: Uint8Array;

const call = (name: string, ...args: number[]) => (parts[name] as (...args: number[]) => number)(...args);
/** Address of place `i`: 1,024 bytes each. */
const place = (i: number) => parts.BUFFER.value + 1024 * i;

function refresh() {
  words = new Uint32Array(parts.memory.buffer);
  bytes = new Uint8Array(parts.memory.buffer);
}

beforeAll(async () => {
  const binary = await compile('test/crypto/assembly/arithmetic.ts');
  parts = new WebAssembly.Instance(new WebAssembly.Module(binary as BufferSource), {}).exports as unknown as Parts;
  refresh();
  putInteger(0, X_SCALE);
  putInteger(0, TWO_D, 32);
  call('setCurve', place(0));
});

function putInteger(at: number, value: bigint, offset = 0, size = 32): void {
  let rest = value;
  for (let i = 0; i < size; i++) {
    bytes[place(at) + offset + i] = Number(rest & 255n);
    rest >>= 8n;
  }
  bytes.fill(0, place(at) + offset + size, place(at) + offset + size + 8);
}

function getInteger(at: number, size = 32): bigint {
  return BigInt(
    `0x${Buffer.from(
      bytes
        .subarray(place(at), place(at) + size)
        .slice()
        .reverse(),
    ).toString('hex')}`,
  );
}

function putLimbs(at: number, limbs: readonly number[]): bigint {
  for (const [i, limb] of limbs.entries()) words[(place(at) >> 2) + i] = limb;
  return limbs.reduceRight((sum, limb) => (sum << 29n) + BigInt(limb), 0n);
}

function getLimbs(at: number): number[] {
  return Array.from(words.subarray(place(at) >> 2, (place(at) >> 2) + 9));
}

const limbsOf = (value: bigint) =>
  Array.from({ length: 9 }, (_, i) => Number((value >> BigInt(29 * i)) & BigInt(LIMB - 1)));
const sumOfLimbs = (value: bigint) => limbsOf(value).reduce((sum, limb) => sum + limb);
const integerOf = (limbs: readonly number[]) => limbs.reduceRight((sum, limb) => (sum << 29n) + BigInt(limb), 0n);

/**
 * Nine limbs below `units · 2^29`, often all at that bound, with a top limb that keeps the value
 * below `16·p`.
 */
function lazyLimbs(random: Random, units: number): number[] {
  const most = units * LIMB - 1;
  const extreme = random.index(3);
  const limbs = Array.from({ length: 8 }, () =>
    extreme === 0 ? most : extreme === 1 ? random.pick([0, 1, most, most - 1, LIMB - 1, LIMB]) : random.index(most + 1),
  );
  return [...limbs, random.pick([0, 0x1ff_ffff, random.index(0x200_0000)])];
}

/** Limbs of a carried element below 2p. */
const tightLimbs = (random: Random) => limbsOf(random.edgy(2n * FIELD_PRIME));

const scalars = (random: Random) => random.edgy(SUBGROUP_ORDER);
const inField = (element: bigint) => ((element % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;

function expectCarried(limbs: readonly number[]): void {
  expect(limbs.every((limb) => limb < LIMB)).toBe(true);
  expect(integerOf(limbs) < 2n * FIELD_PRIME).toBe(true);
}

/** A point as x of the arithmetic's curve and y, in Montgomery form at two places. */
function putPoint(x: number, y: number, point: AffinePoint): void {
  putInteger(7, point.x);
  call('fromBytes', place(x), place(7));
  call('scaleX', place(x), place(x));
  putInteger(7, point.y);
  call('fromBytes', place(y), place(7));
}

describe(`arithmetic of the fast core, seed ${fuzzSeed}`, { timeout: 120_000 * fuzzFactor }, () => {
  it('multiplies operands whose limb bounds have a product of up to 6 units', () => {
    fuzz('mul', 30_000, (random) => {
      const [boundA, boundB] = random.pick([
        [1, 1],
        [1, 6],
        [2, 3],
        [3, 2],
        [4, 1],
      ] as const);
      const a = putLimbs(0, lazyLimbs(random, boundA));
      const b = putLimbs(1, lazyLimbs(random, boundB));
      const out = random.index(3);
      call('mul', place(out), place(0), place(1));
      const result = getLimbs(out);
      if (integerOf(result) % FIELD_PRIME !== (a * b * R_INVERSE) % FIELD_PRIME) expect.unreachable(`${a} · ${b}`);
      if (a * b < 150n * FIELD_PRIME * FIELD_PRIME) expectCarried(result);
    });
  });

  it('squares operands with limbs below 2 units', () => {
    fuzz('square', 15_000, (random) => {
      const a = putLimbs(0, lazyLimbs(random, random.pick([1, 2])));
      const out = random.index(2);
      call('square', place(out), place(0));
      if (integerOf(getLimbs(out)) % FIELD_PRIME !== (a * a * R_INVERSE) % FIELD_PRIME) expect.unreachable(`${a}²`);
    });
  });

  it('adds, subtracts, negates and carries', () => {
    fuzz('linear', 15_000, (random) => {
      const a = putLimbs(0, lazyLimbs(random, 2));
      const b = putLimbs(1, tightLimbs(random));
      call('add', place(2), place(0), place(1));
      expect(integerOf(getLimbs(2))).toBe(a + b);
      call('subtract', place(2), place(0), place(1));
      expect(integerOf(getLimbs(2))).toBe(a - b + 4n * FIELD_PRIME);
      call('carry', place(2));
      expect(integerOf(getLimbs(2))).toBe(a - b + 4n * FIELD_PRIME);
      expect(getLimbs(2).every((limb) => limb < LIMB)).toBe(true);
      call('negate', place(2), place(1));
      expect(integerOf(getLimbs(2))).toBe(4n * FIELD_PRIME - b);
    });
  });

  it('reads and writes integers, and writes the canonical one of each element', () => {
    fuzz('bytes', 15_000, (random) => {
      const value = random.edgy(FIELD_PRIME);
      putInteger(0, value);
      call('fromBytes', place(1), place(0));
      expectCarried(getLimbs(1));
      call('toBytes', place(2), place(1));
      expect(getInteger(2)).toBe(value);
      const other = putLimbs(1, random.index(4) === 0 ? multipleOfPrime(random) : lazyLimbs(random, 4));
      call('toBytes', place(2), place(1));
      expect(getInteger(2)).toBe((other * R_INVERSE) % FIELD_PRIME);
      expect(call('isZero', place(1))).toBe(other % FIELD_PRIME === 0n ? 1 : 0);
    });
  });

  it('inverts, and gives 0 for 0', () => {
    fuzz('invert', 2_000, (random) => {
      const a = putLimbs(0, random.index(20) === 0 ? multipleOfPrime(random) : tightLimbs(random));
      call('invert', place(1), place(0));
      const element = inField(a * R_INVERSE);
      const inverse = element === 0n ? 0n : Fp.inv(element);
      expect(inField(integerOf(getLimbs(1)) * R_INVERSE)).toBe(inverse);
    });
  });

  it.each(widths)('sums products at t = %i in columns of at most 64 bits, carries included', (t) => {
    const group = parts.GROUP.value;
    for (const row of coefficientRows(t)) {
      const sums = row.map((coefficient) => {
        const element = (coefficient * R) % FIELD_PRIME;
        // Elements are kept below 2p, in either form.
        return Math.max(sumOfLimbs(element), sumOfLimbs(element + FIELD_PRIME));
      });
      for (const from of sums.keys())
        expect(sums.slice(from, from + group).reduce((sum, limbs) => sum + limbs)).toBeLessThanOrEqual(64 * LIMB);
    }
  });

  it('sums products with coefficients, at the bounds of limbs and columns too', () => {
    const rows = widths.flatMap(coefficientRows);
    const group = parts.GROUP.value;
    const limb = Math.floor((8 * LIMB) / group);
    // As many coefficients as a group has, whose limbs add up to exactly what is allowed.
    const full = Array.from({ length: group }, () => [...Array<number>(8).fill(limb), 0]);
    full[0]?.splice(3, 1, limb + 64 * LIMB - 8 * group * limb);
    fuzz('sums', 6_000, (random) => {
      const coefficients = random.pick([
        () => random.pick(rows).map((one) => limbsOf(((one * R) % FIELD_PRIME) + random.pick([0n, FIELD_PRIME]))),
        () => Array.from({ length: 1 + random.index(7) }, () => tightLimbs(random)),
        () => full,
      ])();
      let sum = 0n;
      const oneIn = random.pick([1, 4, 100]);
      for (const [i, coefficient] of coefficients.entries()) {
        const a = putLimbs(0, coefficient);
        const largest = random.index(oneIn) === 0;
        const b = putLimbs(1, largest ? [...Array(8).fill(LIMB - 1), 0x60c89c] : tightLimbs(random));
        sum += a * b;
        call('expand', place(8) + 144 * i, place(0));
        call('expand', place(16) + 288 * i, place(1));
      }
      call('beginSum');
      call('addProducts', place(8), place(16), coefficients.length, 288);
      call('endSum', place(2));
      const result = getLimbs(2);
      expectCarried(result);
      expect(integerOf(result) % FIELD_PRIME).toBe((sum * R_INVERSE) % FIELD_PRIME);
    });
  });

  it('reduces 512 bits modulo the order, and computes r + k·c', () => {
    fuzz('scalars', 15_000, (random) => {
      const wide = random.edgy(1n << 512n);
      putInteger(0, wide, 0, 64);
      call('reduceWide', place(1), place(0));
      expect(integerOf(getLimbs(1))).toBe(wide % SUBGROUP_ORDER);
      const [r, k, c] = [scalars(random), scalars(random), random.edgy(FIELD_PRIME)];
      putLimbs(1, limbsOf(r));
      putLimbs(2, limbsOf(k));
      putLimbs(3, limbsOf(c));
      call('multiplyAdd', place(4), place(1), place(2), place(3));
      expect(integerOf(getLimbs(4))).toBe((r + k * c) % SUBGROUP_ORDER);
      call('reducePublic', place(4), place(3));
      expect(integerOf(getLimbs(4))).toBe(c % SUBGROUP_ORDER);
    });
  });

  it('takes 1 to L − 1 for a secret scalar and nothing else', () => {
    fuzz('range', 5_000, (random) => {
      const value = random.index(2) === 0 ? random.edgy(1n << 256n) : SUBGROUP_ORDER + BigInt(random.index(5) - 2);
      putInteger(0, value);
      expect(call('scalarFromBytes', place(1), place(0))).toBe(value >= 1n && value < SUBGROUP_ORDER ? 1 : 0);
    });
  });

  it('multiplies the base point by secret scalars, 0 among them', () => {
    const window = parts.WINDOW.value;
    const windows = parts.WINDOWS.value;
    const table = call('allocate', call('tableSize', window, windows));
    refresh();
    putPoint(0, 1, { x: BASE_X, y: BASE_Y });
    call('buildTable', table, place(0), place(1), window, windows);
    refresh();
    fuzz('base', 1_500, (random) => {
      const scalar = random.index(30) === 0 ? 0n : scalars(random);
      putLimbs(2, limbsOf(scalar));
      call('multiplyBase', place(3), place(4), table, place(2));
      call('toBytes', place(5), place(3));
      call('toBytes', place(6), place(4));
      const { x, y } = (scalar === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(scalar)).toAffine();
      if (getInteger(5) !== x || getInteger(6) !== y) expect.unreachable(`scalar ${scalar}`);
    });
  });

  it('computes s·B − c·A both ways, for keys of any order', () => {
    const base = call('allocate', 32 * 144);
    const baseTable = call('allocate', call('tableSize', 8, 32));
    const keyTable = call('allocate', call('tableSize', 7, 36));
    refresh();
    putPoint(0, 1, { x: BASE_X, y: BASE_Y });
    call('oddMultiples', base, place(0), place(1), 32);
    call('buildTable', baseTable, place(0), place(1), 8, 32);
    refresh();
    fuzz('difference', 300, (random) => {
      const honest = Point.BASE.multiplyUnsafe(1n + random.below(SUBGROUP_ORDER - 1n)).toAffine();
      const A = random.pick([honest, honest, plus(honest, random.pick(lowOrderPoints)), random.pick(lowOrderPoints)]);
      putPoint(0, 1, A);
      call('oddMultiples', place(2), place(0), place(1), 8);
      call('buildTable', keyTable, place(0), place(1), 7, 36);
      refresh();
      for (let i = 0; i < 3; i++) {
        const s = scalars(random);
        const c = scalars(random);
        const difference = timesAnyPoint(Point.BASE, s)
          .subtract(timesAnyPoint(Point.fromAffine(A), c))
          .toAffine();
        putInteger(4, s);
        putInteger(5, c);
        for (const at of [
          call('differenceFromMultiples', base, place(4), place(2), place(5)),
          call('differenceFromTables', baseTable, place(4), keyTable, place(5)),
        ]) {
          for (const [point, same] of [
            [difference, true],
            [plus(difference, Point.BASE.toAffine()), false],
            [{ x: Fp.neg(difference.x), y: difference.y }, difference.x === 0n],
            [{ x: difference.x, y: Fp.neg(difference.y) }, difference.y === 0n],
          ] as const) {
            putInteger(7, point.x);
            call('fromBytes', place(8), place(7));
            putInteger(7, point.y);
            call('fromBytes', place(9), place(7));
            // Comparing leaves the sum as it is.
            expect(call('equalsAffine', at, place(8), place(9))).toBe(same ? 1 : 0);
          }
        }
      }
    });
  });
});

/** Carried limbs of a small multiple of the prime. */
function multipleOfPrime(random: Random): number[] {
  return limbsOf(BigInt(random.index(6)) * FIELD_PRIME);
}
