import { FIELD_PRIME } from './constants.ts';
import { CryptoError } from './errors.ts';
import { dot, PARTIAL_ROUNDS, type PoseidonTables, type PoseidonWidth, poseidonTables } from './poseidonTables.ts';

/** `x^5`, reduced; `x` may be a sum of a few field elements. */
function sbox(x: bigint): bigint {
  const x2 = (x * x) % FIELD_PRIME;
  return (((x2 * x2) % FIELD_PRIME) * x) % FIELD_PRIME;
}

/** Adds the constant to each lane, in place, and applies the S-box. */
function sboxAll(lanes: bigint[], constant: bigint): void {
  for (let i = 0; i < lanes.length; i++) lanes[i] = sbox((lanes[i] as bigint) + constant);
}

const mix = (rows: readonly (readonly bigint[])[], lanes: readonly bigint[]) =>
  rows.map((row) => dot(row, lanes) % FIELD_PRIME);

/** Element 0 of the permuted state, with the partial rounds as a recurrence; notation of `PoseidonTables`. */
function permute(tables: PoseidonTables, state: bigint[]): bigint {
  const { matrix, openingConstants, entry, laneConstants, g, alpha, beta, partialRounds, closingConstants } = tables;
  const firstRow = matrix[0] as readonly bigint[];
  const m00 = firstRow[0] as bigint;
  const n = tables.t - 1;

  let lanes = state;
  for (let round = 0; round < openingConstants.length; round++) {
    if (round > 0) lanes = mix(matrix, lanes);
    sboxAll(lanes, openingConstants[round] as bigint);
  }

  const x = Array<bigint>(partialRounds + 1);
  const y = Array<bigint>(partialRounds);
  const [lane0, ...h] = mix(matrix, lanes);
  x[0] = lane0 as bigint;
  for (let r = 0; r < partialRounds; r++) {
    const output = sbox((x[r] as bigint) + (laneConstants[r] as bigint));
    let next = m00 * output;
    if (r < n) {
      next += dot(entry[r] as readonly bigint[], h);
      for (let i = 0; i < r; i++) next += (g[r - 1 - i] as bigint) * (y[i] as bigint);
    } else {
      next += dot(alpha, x, r - n + 1) + dot(beta, y, r - n);
    }
    y[r] = output;
    x[r + 1] = next % FIELD_PRIME;
  }

  const { exitX, exitY, exitConstants } = tables;
  const closing = [(x[partialRounds] as bigint) + (exitConstants[0] as bigint)];
  for (let lane = 0; lane < n; lane++) {
    const fromX = dot(exitX[lane] as readonly bigint[], x, partialRounds - n + 1);
    const fromY = dot(exitY[lane] as readonly bigint[], y, partialRounds - n);
    closing.push((fromX + fromY + (exitConstants[lane + 1] as bigint)) % FIELD_PRIME);
  }
  sboxAll(closing, 0n);
  lanes = closing;
  for (const constant of closingConstants) {
    lanes = mix(matrix, lanes);
    sboxAll(lanes, constant);
  }
  return dot(firstRow, lanes) % FIELD_PRIME;
}

/** @throws {CryptoError} as `poseidon` says. */
export function checkInputs(inputs: readonly bigint[], t: PoseidonWidth): void {
  if (!Object.hasOwn(PARTIAL_ROUNDS, t)) throw new CryptoError('input-count', `poseidon has no width t=${t}`);
  if (inputs.length < 1 || inputs.length > t - 1)
    throw new CryptoError('input-count', `poseidon t=${t} takes 1 to ${t - 1} inputs, got ${inputs.length}`);
  for (const [index, input] of inputs.entries())
    if (input < 0n || input >= FIELD_PRIME)
      throw new CryptoError('field-range', `poseidon input ${index} is outside the field`);
}

/**
 * Hashes field elements with the protocol's Poseidon: inputs, zero padding up to width `t`, permutation, element 0.
 * There is no length tag, so fewer inputs hash like the same inputs with trailing zeros; callers fix the count.
 *
 * Not constant time: for public data only (message hashes, the signature challenge).
 * @param inputs - 1 to `t − 1` elements, each `0n <= x < p`; never reduced silently.
 * @param t - State width; fixes the round count and the matrix.
 * @returns One field element.
 * @throws {CryptoError} `input-count` (also for a width that is not in use), or `field-range` naming the index.
 * @see https://eprint.iacr.org/2019/458; constants: ./poseidonConstants.ts
 */
export function poseidon(inputs: readonly bigint[], t: PoseidonWidth): bigint {
  checkInputs(inputs, t);
  const state = Array<bigint>(t).fill(0n);
  for (const [index, input] of inputs.entries()) state[index] = input;
  return permute(poseidonTables(t), state);
}
