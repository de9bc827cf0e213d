import { beforeAll, describe, expect, it } from 'vitest';
import { coreInUse } from '../../src/crypto/core.ts';
import { secretNonce } from '../../src/crypto/eddsa.ts';
import { createSigner, GROUP_ORDER, getPublicKey, SUBGROUP_ORDER } from '../../src/crypto/index.ts';
import { challenge } from '../../src/crypto/verify.ts';
import { secretKeyOf } from '../support/secretKeys.ts';

/**
 * What the 8·L reduction gives away. There S = (r + k·c) mod 8L with r < L, so (S − k·c) mod 8L
 * always lies in the lowest eighth of its range: every published (S, c) is a linear equation in k
 * with three known leading bits (a hidden number problem). With S reduced modulo L, (S − k·c) mod
 * 8L is r + j·L with a j that S says nothing about, so each of the eight windows gets its share.
 * The statistic below uses the true k, which shows the window at its plainest.
 */
const SIGNATURES = coreInUse() === 'fast' ? 10_000 : 1_000;
const secretKey = secretKeyOf(0x2b53363f5e5cccf13bf00e650310d0e2d97c743af12b8b1ce683b5152749914n);
const k = 0x2b53363f5e5cccf13bf00e650310d0e2d97c743af12b8b1ce683b5152749914n;
const publicKey = getPublicKey(secretKey);

const modulo = (value: bigint, modulus: bigint) => ((value % modulus) + modulus) % modulus;

/** How often (S − k·c) mod 8L falls into each eighth. */
function windowCounts(signatures: readonly { S: bigint; c: bigint }[]): number[] {
  const counts = Array<number>(8).fill(0);
  for (const { S, c } of signatures) {
    const window = Number(modulo(S - k * c, GROUP_ORDER) / SUBGROUP_ORDER);
    counts[window] = (counts[window] as number) + 1;
  }
  return counts;
}

/**
 * Pearson's chi-square against eight equal shares; 7 degrees of freedom, above 40.5 with
 * probability 1e-6.
 */
function chiSquare(counts: readonly number[]): number {
  const expected = SIGNATURES / 8;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('the window of the 8·L reduction', () => {
  // The messages are fixed and the nonces deterministic, so these counts are the same in every run.
  let ours: { message: bigint; S: bigint; c: bigint }[];
  beforeAll(() => {
    const { sign } = createSigner(secretKey);
    ours = Array.from({ length: SIGNATURES }, (_, i) => {
      const message = BigInt(i + 1) * 0x1f3d5b79a86420eca8642n;
      const signature = sign(message);
      return { message, S: signature.S, c: challenge({ x: signature.Rx, y: signature.Ry }, publicKey, message) };
    });
  }, 600_000);

  it(`holds 100 % of ${SIGNATURES} signatures made by the other rule`, () => {
    const theirs = ours.map(({ message, c }) => ({
      S: modulo(secretNonce(secretKey, message) + k * c, GROUP_ORDER),
      c,
    }));
    expect(windowCounts(theirs)).toEqual([SIGNATURES, 0, 0, 0, 0, 0, 0, 0]);
  });

  it(`holds an eighth of ${SIGNATURES} signatures of ours, like each of the other seven`, () => {
    const counts = windowCounts(ours);
    expect(chiSquare(counts)).toBeLessThan(40.5);
  });

  it('is not hidden by a wider S: ours is always below the subgroup order', () => {
    expect(ours.every(({ S }) => S >= 0n && S < SUBGROUP_ORDER)).toBe(true);
  });
});
