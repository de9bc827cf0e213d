import { blake2b } from '@noble/hashes/blake2.js';

/**
 * The protocol's Poseidon as it is defined: 6 full rounds, x^5, one constant a round, a Cauchy
 * matrix.
 */

export const P = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

export const mod = (value: bigint, modulus = P) => ((value % modulus) + modulus) % modulus;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = mod(base), rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % P)
    if (rest & 1n) result = (result * square) % P;
  return result;
}

export const invert = (value: bigint) => power(value, P - 2n);

export const littleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** BLAKE2b-256 of the seed, of that digest, and so on; each digest is one element. */
function chain(seed: string, count: number): bigint[] {
  const elements: bigint[] = [];
  for (let digest: Uint8Array = Buffer.from(seed); elements.length < count; elements.push(littleEndian(digest) % P))
    digest = blake2b(digest, { dkLen: 32 });
  return elements;
}

export const roundConstants = (partialRounds: number) => chain('poseidon_constants', 6 + partialRounds);

export function matrix(t: number): bigint[][] {
  const c = chain('poseidon_matrix_0000', 2 * t);
  return c.slice(0, t).map((row) => c.slice(t).map((column) => invert(row - column)));
}

const known = new Map<string, { constants: bigint[]; rows: bigint[][] }>();

export function poseidon(inputs: readonly bigint[], t = inputs.length + 1, partialRounds = t < 9 ? 52 : 53): bigint {
  const name = `${t}/${partialRounds}`;
  const { constants, rows } = known.get(name) ?? { constants: roundConstants(partialRounds), rows: matrix(t) };
  known.set(name, { constants, rows });
  let state = Array.from({ length: t }, (_, lane) => inputs[lane] ?? 0n);
  constants.forEach((constant, round) => {
    const full = round < 3 || round >= 3 + partialRounds;
    const boxed = state.map((element, lane) =>
      full || lane === 0 ? power(element + constant, 5n) : element + constant,
    );
    state = rows.map((row) => mod(row.reduce((sum, factor, lane) => sum + factor * (boxed[lane] as bigint), 0n)));
  });
  return state[0] as bigint;
}
