import { poseidon } from '@noble/curves/abstract/poseidon.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { Fp } from '../../src/crypto/babyJubjub.ts';
import { FIELD_PRIME } from '../../src/crypto/index.ts';

/**
 * The protocol's Poseidon straight from its definition, for any width, on noble's permutation: the
 * reference that the shipped tables and the recurrence are compared with. Constants: signing rules,
 * section 2.
 */

/**
 * Partial rounds of every width for which vectors exist; the product hashes with 3, 5, 6, 7, 9, 10,
 * 12 and 13 only.
 */
const PARTIAL_ROUNDS: Readonly<Record<number, number>> = {
  2: 53,
  3: 51,
  5: 52,
  6: 52,
  7: 52,
  8: 53,
  9: 53,
  10: 53,
  11: 53,
  12: 53,
  13: 53,
  14: 53,
};
const FULL_ROUNDS = 6;

/**
 * Elements of the chain `h0 = BLAKE2b-256(seed)`, `h(i+1) = BLAKE2b-256(h(i))`, read little-endian
 * and reduced.
 */
export function constantChain(seed: string, count: number): bigint[] {
  const elements: bigint[] = [];
  let digest: Uint8Array = new TextEncoder().encode(seed);
  for (let i = 0; i < count; i++) {
    digest = blake2b(digest, { dkLen: 32 });
    elements.push(BigInt(`0x${Buffer.from(digest).reverse().toString('hex')}`) % FIELD_PRIME);
  }
  return elements;
}

export function roundCounts(t: number): { full: number; partial: number } {
  const partial = PARTIAL_ROUNDS[t];
  if (partial === undefined) throw new Error(`no round count is published for t=${t}`);
  return { full: FULL_ROUNDS, partial };
}

/** One constant a round, added to every lane. */
export function roundConstants(t: number): bigint[] {
  const { full, partial } = roundCounts(t);
  return constantChain('poseidon_constants', full + partial);
}

/** `M[i][j] = 1 / (c[i] − c[t + j])`. */
export function mdsMatrix(t: number): bigint[][] {
  const c = constantChain('poseidon_matrix_0000', 2 * t);
  return c.slice(0, t).map((row) => c.slice(t).map((column) => Fp.inv(Fp.sub(row, column))));
}

const permutations = new Map<number, (state: bigint[]) => bigint[]>();

/** Hash of 1 to `t − 1` reduced elements; zero padding, element 0 of the final state. */
export function poseidonReference(inputs: readonly bigint[], t: number): bigint {
  let permutation = permutations.get(t);
  if (!permutation) {
    const { full, partial } = roundCounts(t);
    permutation = poseidon({
      Fp,
      t,
      roundsFull: full,
      roundsPartial: partial,
      sboxPower: 5,
      mds: mdsMatrix(t),
      roundConstants: roundConstants(t).map((constant) => Array<bigint>(t).fill(constant)),
      reversePartialPowIdx: false,
    });
    permutations.set(t, permutation);
  }
  const state = Array.from({ length: t }, (_, lane) => inputs[lane] ?? 0n);
  return permutation(state)[0] as bigint;
}
