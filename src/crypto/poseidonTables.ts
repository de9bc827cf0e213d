import { FpInvertBatch } from '@noble/curves/abstract/modular.js';
import { Fp } from './babyJubjub.ts';
import { FIELD_PRIME } from './constants.ts';
import { MATRIX_CHAIN, RECURRENCE, ROUND_CONSTANTS } from './generated/poseidonConstants.ts';

/**
 * State widths in use, each with its number of partial rounds. All have 6 full rounds and the S-box
 * x^5.
 */
export const PARTIAL_ROUNDS = { 3: 51, 5: 52, 6: 52, 7: 52, 9: 53, 10: 53, 12: 53, 13: 53 } as const;

/** State width: one more than the number of inputs that a message of this width may have. */
export type PoseidonWidth = keyof typeof PARTIAL_ROUNDS;

/** Full rounds before the partial rounds, and as many after them. */
const HALF_FULL_ROUNDS = 3;

/**
 * Tables of one width for hashing, with the partial rounds as a linear recurrence.
 *
 * Only lane 0 passes the S-box in a partial round. Split the matrix M into `m00`, `v` (the rest of
 * row zero), `w` (the rest of column zero) and `H` (the rest, n × n with n = t − 1). With `x` the
 * S-box inputs of lane 0 and `y = x^5`, both without constants, and `h` the other lanes:
 *
 *     x[r+1] = m00·y[r] + v·h[r]          h[r+1] = w·y[r] + H·h[r]
 *
 * Let O be the matrix of the rows `v·H^j` (0 ≤ j < n) and `g[j] = v·H^j·w`. The first n values
 * follow from the entry state as `x[r+1] = m00·y[r] + (O·h[0])[r] + Σ g[r−1−i]·y[i]`. By
 * Cayley–Hamilton `v·H^n = Σ α[j]·v·H^j`, so that afterwards
 *
 *     x[r+1] = m00·y[r] + Σ α[j]·x[r−n+1+j] + Σ β[j]·y[r−n+j]
 *
 * and at the exit `h = E·(last n x) + F·(last n y)` with `E = H^n·O⁻¹`. Round constants enter
 * linearly: they run through the same rounds once, here, and are added to lane 0 before each S-box
 * and to all lanes at the exit.
 */
export interface PoseidonTables {
  readonly t: number;
  readonly partialRounds: number;
  /** M, row by row. */
  readonly matrix: readonly (readonly bigint[])[];
  /** Constants of the first full rounds. */
  readonly openingConstants: readonly bigint[];
  /**
   * Rows of O. Merging them with M would save n² of 17·n² products a hash, and cost 1 ms at first
   * use.
   */
  readonly entry: readonly (readonly bigint[])[];
  /** Added to lane 0 before the S-box, one a partial round. */
  readonly laneConstants: readonly bigint[];
  readonly g: readonly bigint[];
  readonly alpha: readonly bigint[];
  readonly beta: readonly bigint[];
  /** Rows of E and of F. */
  readonly exitX: readonly (readonly bigint[])[];
  readonly exitY: readonly (readonly bigint[])[];
  /** Added to each lane at the exit; the constant of the next full round is contained. */
  readonly exitConstants: readonly bigint[];
  /** Constants of the closing full rounds after the first of them. */
  readonly closingConstants: readonly bigint[];
}

/** `Σ a[i]·b[offset + i]` over the length of `a`, not reduced. */
export function dot(a: readonly bigint[], b: readonly bigint[], offset = 0): bigint {
  let sum = 0n;
  for (let i = 0; i < a.length; i++) sum += (a[i] as bigint) * (b[offset + i] as bigint);
  return sum;
}

const elementsOf = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((digits) => BigInt(`0x${digits}`));

const times = (matrix: readonly (readonly bigint[])[], column: readonly bigint[]) =>
  matrix.map((row) => dot(row, column) % FIELD_PRIME);

const transposed = (rows: readonly (readonly bigint[])[]) =>
  (rows[0] as readonly bigint[]).map((_, column) => rows.map((row) => row[column] as bigint));

/** Cauchy matrix `M[i][j] = 1 / (c[i] − c[t + j])`, with one inversion for all its elements. */
export function mdsMatrix(t: PoseidonWidth): bigint[][] {
  const c = elementsOf(MATRIX_CHAIN);
  const columns = c.slice(t, 2 * t);
  const inverses = FpInvertBatch(
    Fp,
    c.slice(0, t).flatMap((row) => columns.map((column) => Fp.sub(row, column))),
    true,
  );
  return Array.from({ length: t }, (_, i) => inverses.slice(i * t, (i + 1) * t));
}

/** `a − factor·b`, lane by lane. */
const minus = (a: readonly bigint[], factor: bigint, b: readonly bigint[]) =>
  a.map((lane, i) => Fp.create(lane - factor * (b[i] as bigint)));

/**
 * `β[j] = g[n−1−j] − m00·α[j] − Σ over k > j of g[k−1−j]·α[k]`: what a driving value still adds n
 * rounds later.
 */
function drivenCoefficients(alpha: readonly bigint[], m00: bigint, g: readonly bigint[]): bigint[] {
  const n = alpha.length;
  return alpha.map((a, j) => {
    let sum = m00 * a;
    for (let k = j + 1; k < n; k++) sum += (g[k - 1 - j] as bigint) * (alpha[k] as bigint);
    return Fp.create((g[n - 1 - j] as bigint) - sum);
  });
}

/**
 * Columns of an exit matrix from its last one, by `column[i−1] = H·column[i] − coefficient[i]·ε`.
 * For E this is `H·E = E·C` with the companion matrix C of α, and its last column is ε itself; for
 * F, whose last column is `w − m00·ε`, it follows with β from
 * `F[i] = H^(n−1−i)·w − m00·E[i] − Σ over j > i of g[j−1−i]·E[j]`.
 */
function exitColumns(
  H: readonly (readonly bigint[])[],
  epsilon: readonly bigint[],
  lastColumn: readonly bigint[],
  coefficients: readonly bigint[],
): (readonly bigint[])[] {
  const columns = [lastColumn];
  for (let i = coefficients.length - 1; i > 0; i--)
    columns.unshift(minus(times(H, columns[0] as readonly bigint[]), coefficients[i] as bigint, epsilon));
  return columns;
}

function build(t: PoseidonWidth): PoseidonTables {
  const n = t - 1;
  const partialRounds = PARTIAL_ROUNDS[t];
  const matrix = mdsMatrix(t);
  const rest = matrix.slice(1);
  const m00 = matrix[0]?.[0] as bigint;
  const v = (matrix[0] as bigint[]).slice(1);
  const w = rest.map((row) => row[0] as bigint);
  const H = rest.map((row) => row.slice(1));
  const constants = elementsOf(ROUND_CONSTANTS);

  const columnsOfH = transposed(H);
  const O = [v];
  while (O.length < n) O.push(times(columnsOfH, O.at(-1) as bigint[]));
  const g = times(O, w);

  const alpha = elementsOf(RECURRENCE[t].alpha);
  const last = elementsOf(RECURRENCE[t].exitColumn);
  const beta = drivenCoefficients(alpha, m00, g);
  const exitX = transposed(exitColumns(H, last, last, alpha));
  const exitY = transposed(exitColumns(H, last, minus(w, m00, last), beta));

  // The constants alone through the partial rounds: the same recurrence with H·(1, …, 1) for w and
  // Σ v for m00.
  const ones = Array<bigint>(n).fill(1n);
  const fromOnes = times(H, ones);
  const u = dot(v, ones) % FIELD_PRIME;
  const G = times(O, fromOnes);
  const gamma = drivenCoefficients(alpha, u, G);
  const driving = constants.slice(HALF_FULL_ROUNDS, HALF_FULL_ROUNDS + partialRounds);
  const lane0 = [0n];
  for (let r = 0; r < partialRounds; r++) {
    let next = u * (driving[r] as bigint);
    if (r < n) for (let i = 0; i < r; i++) next += (G[r - 1 - i] as bigint) * (driving[i] as bigint);
    else next += dot(alpha, lane0, r - n + 1) + dot(gamma, driving, r - n);
    lane0.push(next % FIELD_PRIME);
  }
  const constantsToExit = transposed(exitColumns(H, last, minus(fromOnes, u, last), gamma));
  const fromLane0 = times(exitX, lane0.slice(-n));
  const fromDriving = times(constantsToExit, driving.slice(-n));
  const afterPartial = HALF_FULL_ROUNDS + partialRounds;
  const next = constants[afterPartial] as bigint;
  const lanes = [lane0[partialRounds] as bigint, ...fromLane0.map((lane, i) => lane + (fromDriving[i] as bigint))];

  return {
    t,
    partialRounds,
    matrix,
    openingConstants: constants.slice(0, HALF_FULL_ROUNDS),
    entry: O,
    laneConstants: driving.map((constant, r) => Fp.create((lane0[r] as bigint) + constant)),
    g,
    alpha,
    beta,
    exitX,
    exitY,
    exitConstants: lanes.map((lane) => Fp.create(lane + next)),
    closingConstants: constants.slice(afterPartial + 1, afterPartial + HALF_FULL_ROUNDS),
  };
}

/**
 * Gives the seeds from which the tables of a width are made: the constants of the rounds,
 * `c[0] … c[2t − 1]` of the matrix, α, the last exit column.
 */
export function tableSeeds(t: PoseidonWidth): bigint[] {
  const { alpha, exitColumn } = RECURRENCE[t];
  return [
    ...elementsOf(ROUND_CONSTANTS).slice(0, 2 * HALF_FULL_ROUNDS + PARTIAL_ROUNDS[t]),
    ...elementsOf(MATRIX_CHAIN).slice(0, 2 * t),
    ...elementsOf(alpha),
    ...elementsOf(exitColumn),
  ];
}

const built = new Map<PoseidonWidth, PoseidonTables>();

/** The tables of a width, built at the first call (1 to 3 ms) and kept. */
export function poseidonTables(t: PoseidonWidth): PoseidonTables {
  let tables = built.get(t);
  if (!tables) {
    tables = build(t);
    built.set(t, tables);
  }
  return tables;
}
