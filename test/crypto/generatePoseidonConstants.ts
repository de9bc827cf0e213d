import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Fp } from '../../src/crypto/babyJubjub.ts';
import { constantChain, mdsMatrix, roundCounts } from '../support/poseidonReference.ts';

/**
 * Writes `src/crypto/poseidonConstants.ts` from the definition of the constants:
 * `npx tsx test/crypto/generatePoseidonConstants.ts`. A test compares the shipped file with this text.
 */
const WIDTHS = [6, 7, 9, 10, 12, 13];

type Matrix = readonly (readonly bigint[])[];

const dot = (a: readonly bigint[], b: readonly bigint[]) =>
  a.reduce((sum, element, i) => Fp.add(sum, Fp.mul(element, b[i] as bigint)), 0n);
const rowTimes = (row: readonly bigint[], matrix: Matrix) =>
  row.map((_, column) =>
    dot(
      row,
      matrix.map((line) => line[column] as bigint),
    ),
  );
const timesColumn = (matrix: Matrix, column: readonly bigint[]) => matrix.map((line) => dot(line, column));

/** The solution of `matrix · x = right`, by Gauss-Jordan elimination. */
function solve(matrix: Matrix, right: readonly bigint[]): bigint[] {
  const rows = matrix.map((line, i) => [...line, right[i] as bigint]);
  for (let k = 0; k < rows.length; k++) {
    const pivot = rows.findIndex((row, i) => i >= k && row[k] !== 0n);
    [rows[k], rows[pivot]] = [rows[pivot] as bigint[], rows[k] as bigint[]];
    const inverse = Fp.inv((rows[k] as bigint[])[k] as bigint);
    rows[k] = (rows[k] as bigint[]).map((element) => Fp.mul(element, inverse));
    for (const [i, row] of rows.entries()) {
      if (i === k) continue;
      const factor = row[k] as bigint;
      rows[i] = row.map((element, j) => Fp.sub(element, Fp.mul(factor, (rows[k] as bigint[])[j] as bigint)));
    }
  }
  return rows.map((row) => row.at(-1) as bigint);
}

/** `α` with `v·H^n = Σ α_j · v·H^j`, and the last column of `H^n · O⁻¹`, O being the matrix of the rows `v·H^j`. */
function recurrence(t: number): { alpha: bigint[]; exitColumn: bigint[] } {
  const matrix = mdsMatrix(t);
  const H = matrix.slice(1).map((row) => row.slice(1));
  const O = [(matrix[0] as bigint[]).slice(1)];
  while (O.length < t) O.push(rowTimes(O.at(-1) as bigint[], H));
  const next = O.pop() as bigint[];
  const alpha = solve(
    next.map((_, column) => O.map((row) => row[column] as bigint)),
    next,
  );
  let exitColumn = solve(
    O,
    O.map((_, i) => (i === t - 2 ? 1n : 0n)),
  );
  for (let i = 0; i < t - 1; i++) exitColumn = timesColumn(H, exitColumn);
  return { alpha, exitColumn };
}

const hexLines = (elements: readonly bigint[]) =>
  elements.map((element) => element.toString(16).padStart(64, '0')).join('\n');

/** The text of the module. */
export function poseidonConstantsSource(): string {
  const rounds = Math.max(...WIDTHS.map((t) => roundCounts(t).full + roundCounts(t).partial));
  const widths = WIDTHS.map((t) => {
    const { alpha, exitColumn } = recurrence(t);
    return `  ${t}: {\n    alpha: \`\n${hexLines(alpha)}\`,\n    exitColumn: \`\n${hexLines(exitColumn)}\`,\n  },\n`;
  });
  return `/**
 * Numbers of the protocol's Poseidon that do not depend on the input, one field element a line, 64 hex digits.
 *
 * Written by test/crypto/generatePoseidonConstants.ts from their definition, and compared with it by a test. They are
 * shipped because computing them (a hash chain and two linear systems a width) would cost milliseconds at first use.
 */

/** Elements of the chain of \`poseidon_constants\`: one a round, for every lane and every width. */
export const ROUND_CONSTANTS = \`
${hexLines(constantChain('poseidon_constants', rounds))}\`;

/** Elements \`c\` of the chain of \`poseidon_matrix_0000\`: \`M[i][j] = 1 / (c[i] − c[t + j])\`. */
export const MATRIX_CHAIN = \`
${hexLines(constantChain('poseidon_matrix_0000', 2 * Math.max(...WIDTHS)))}\`;

/** For each width, the linear recurrence of its partial rounds; the names are explained in poseidonTables.ts. */
export const RECURRENCE = {
${widths.join('')}} as const;
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(new URL('../../src/crypto/poseidonConstants.ts', import.meta.url), poseidonConstantsSource());
