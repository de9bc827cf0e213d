import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { poseidonConstantsSource } from '../../scripts/generate/poseidonConstants.ts';
import { Fp } from '../../src/crypto/babyJubjub.ts';
import { PARTIAL_ROUNDS, type PoseidonWidth } from '../../src/crypto/index.ts';
import { mdsMatrix, poseidonTables } from '../../src/crypto/poseidonTables.ts';
import * as reference from '../support/poseidonReference.ts';

const widths = Object.keys(PARTIAL_ROUNDS).map(Number) as PoseidonWidth[];

describe('the shipped constants', () => {
  it('are the output of the generator', async () => {
    const shipped = await readFile(new URL('../../src/crypto/generated/poseidonConstants.ts', import.meta.url), 'utf8');
    expect(shipped).toBe(poseidonConstantsSource());
  });

  it.each(widths)('have the round counts and the matrix of the definition at t = %i', (t) => {
    expect(reference.roundCounts(t)).toEqual({ full: 6, partial: PARTIAL_ROUNDS[t] });
    expect(mdsMatrix(t)).toEqual(reference.mdsMatrix(t));
  });
});

describe.each(widths)('the recurrence at t = %i', (t) => {
  const { alpha, beta, g, matrix, entry, laneConstants } = poseidonTables(t);
  const n = t - 1;
  const dot = (a: readonly bigint[], b: readonly bigint[]) =>
    a.reduce((sum, element, i) => Fp.add(sum, Fp.mul(element, b[i] as bigint)), 0n);
  const H = matrix.slice(1).map((row) => row.slice(1));
  const v = (matrix[0] as bigint[]).slice(1);
  const w = matrix.slice(1).map((row) => row[0] as bigint);
  const m00 = matrix[0]?.[0] as bigint;
  const timesH = (row: readonly bigint[]) =>
    H.map((_, c) =>
      dot(
        row,
        H.map((line) => line[c] as bigint),
      ),
    );
  const powers = [v];
  while (powers.length <= n) powers.push(timesH(powers.at(-1) as bigint[]));

  it('has α with v·H^n = Σ α·v·H^j', () => {
    const sums = v.map((_, lane) =>
      dot(
        alpha,
        powers.slice(0, n).map((row) => row[lane] as bigint),
      ),
    );
    expect(sums).toEqual(powers[n]);
  });

  it('has g = v·H^j·w and β as published', () => {
    expect(g).toEqual(powers.slice(0, n).map((row) => dot(row, w)));
    const expected = alpha.map((a, j) => {
      let sum = Fp.sub(g[n - 1 - j] as bigint, Fp.mul(a, m00));
      for (let k = j + 1; k < n; k++) sum = Fp.sub(sum, Fp.mul(alpha[k] as bigint, g[k - 1 - j] as bigint));
      return sum;
    });
    expect(beta).toEqual(expected);
  });

  it('reads the entry state through v·H^j', () => {
    expect(entry).toEqual(powers.slice(0, n));
  });

  it('starts the lane constants with the constant of the first partial round', () => {
    expect(laneConstants).toHaveLength(PARTIAL_ROUNDS[t]);
    expect(laneConstants[0]).toBe(reference.roundConstants(t)[3]);
  });
});
