import { FIELD_PRIME, LOOSE_MODULUS } from './constants.ts';
import { CryptoError } from './errors.ts';
import { dot, PARTIAL_ROUNDS, type PoseidonTables, type PoseidonWidth, poseidonTables } from './poseidonTables.ts';

/** `x^5`, up to a multiple of p; `x` below 2^256. */
function sbox(x: bigint): bigint {
  const x2 = (x * x) % LOOSE_MODULUS;
  return (x2 * x2 * x) % LOOSE_MODULUS;
}

/**
 * Element 0 of the permuted state, with the partial rounds as a recurrence; notation of
 * `PoseidonTables`.
 */
function permute(tables: PoseidonTables, state: readonly bigint[]): bigint {
  const { t, partialRounds, matrix, openingConstants, laneConstants, entry, g, alpha, beta } = tables;
  const { exitX, exitY, exitConstants, closingConstants } = tables;
  const [first = 0n, ...later] = openingConstants;
  const m00 = matrix[0]?.[0] as bigint;
  const n = t - 1;
  const mix = (lanes: readonly bigint[], constant = 0n) =>
    matrix.map((row) => (dot(row, lanes) + constant) % LOOSE_MODULUS);

  let lanes = state.map((lane) => sbox(lane + first));
  for (const constant of later) lanes = mix(lanes, constant).map(sbox);

  const [lane0, ...h] = mix(lanes);
  const x = [lane0 as bigint];
  const y: bigint[] = [];
  for (let r = 0; r < partialRounds; r++) {
    const output = sbox((x[r] as bigint) + (laneConstants[r] as bigint));
    y.push(output);
    let next: bigint;
    if (r < n) {
      next = dot(entry[r] as readonly bigint[], h) + m00 * output;
      for (let i = 0; i < r; i++) next += (g[r - 1 - i] as bigint) * (y[i] as bigint);
    } else next = m00 * output + dot(alpha, x, r - n + 1) + dot(beta, y, r - n);
    x.push(next % LOOSE_MODULUS);
  }

  lanes = [(x[partialRounds] as bigint) + (exitConstants[0] as bigint)];
  for (let lane = 0; lane < n; lane++) {
    const sum =
      dot(exitX[lane] as readonly bigint[], x, partialRounds - n + 1) +
      dot(exitY[lane] as readonly bigint[], y, partialRounds - n);
    lanes.push((sum + (exitConstants[lane + 1] as bigint)) % LOOSE_MODULUS);
  }
  lanes = lanes.map(sbox);
  for (const constant of closingConstants) lanes = mix(lanes, constant).map(sbox);
  return dot(matrix[0] as readonly bigint[], lanes) % FIELD_PRIME;
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
 * Hashes field elements with the protocol's Poseidon: inputs, zero padding up to width `t`,
 * permutation, element 0. There is no length tag, so fewer inputs hash like the same inputs with
 * trailing zeros; callers fix the count.
 *
 * Not constant time: for public data only (message hashes, the signature challenge).
 * @param inputs - 1 to `t − 1` elements, each `0n <= x < p`; never reduced silently.
 * @param t - State width; fixes the round count and the matrix.
 * @returns One field element.
 * @throws {CryptoError} `input-count` (also for a width that is not in use), or `field-range`
 *   naming the index.
 * @see https://eprint.iacr.org/2019/458; constants: ./generated/poseidonConstants.ts
 */
export function poseidon(inputs: readonly bigint[], t: PoseidonWidth): bigint {
  checkInputs(inputs, t);
  const state = Array<bigint>(t).fill(0n);
  for (const [index, input] of inputs.entries()) state[index] = input;
  return permute(poseidonTables(t), state);
}
