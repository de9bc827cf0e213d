import { Random } from './random.ts';

/**
 * `FUZZ=10` runs ten times as many cases; `FUZZ_SEED` starts elsewhere. The seed stands in the test
 * titles.
 */
export const fuzzFactor = Number(process.env.FUZZ ?? 1);
export const fuzzSeed = BigInt(process.env.FUZZ_SEED ?? 20260101);

/** Runs `check` with a fresh stream; an error names the case, so that it can be found again. */
export function fuzz(name: string, cases: number, check: (random: Random) => void): number {
  const total = Math.ceil(cases * fuzzFactor);
  const random = new Random(fuzzSeed + BigInt(name.length) * 1_000_003n);
  for (let i = 0; i < total; i++) {
    try {
      check(random);
    } catch (error) {
      throw new Error(`${name}: case ${i} of seed ${fuzzSeed}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  return total;
}
