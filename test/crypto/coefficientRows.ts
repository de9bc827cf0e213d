import { FIELD_PRIME, type PoseidonWidth } from '../../src/crypto/index.ts';
import { dot, poseidonTables } from '../../src/crypto/poseidonTables.ts';

type Rows = readonly (readonly bigint[])[];

const transposed = (rows: Rows) =>
  (rows[0] as readonly bigint[]).map((_, column) => rows.map((row) => row[column] as bigint));

const byTurns = (y: readonly bigint[], x: readonly bigint[]) => y.flatMap((factor, i) => [factor, x[i] as bigint]);

/**
 * The coefficients of all sums of products that the fast core computes at width t, each row in the
 * order of `addProducts`: those of a hash (`setWidth` lists them), and those of making the tables.
 * A sum may also take a part of a row.
 */
export function coefficientRows(t: PoseidonWidth): bigint[][] {
  const { matrix, entry, g, alpha, beta, exitX, exitY } = poseidonTables(t);
  const m00 = matrix[0]?.[0] as bigint;
  const O: Rows = [...entry, transposed(entry).map((column) => dot(alpha, column) % FIELD_PRIME)];
  return [
    ...matrix.map((row) => [...row]),
    ...g.map((first, r) => [first, ...(O[r + 1] as readonly bigint[])]),
    [...g.slice(0, -1).reverse(), m00],
    [...byTurns(beta, alpha), m00],
    ...exitY.map((row, lane) => byTurns(row, exitX[lane] as readonly bigint[])),
    ...transposed(matrix.slice(1)),
  ];
}
