import { poseidon as permutation } from '@noble/curves/abstract/poseidon.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { Fp } from './babyJubjub.ts';
import { FIELD_PRIME } from './constants.ts';
import { CryptoError } from './errors.ts';

/** State widths in use, each with its number of partial rounds. All have 6 full rounds and the S-box x^5. */
export const PARTIAL_ROUNDS = { 6: 52, 7: 52, 9: 53, 10: 53, 12: 53, 13: 53 } as const;

/** State width: one more than the number of inputs that a message of this width may have. */
export type PoseidonWidth = keyof typeof PARTIAL_ROUNDS;

const FULL_ROUNDS = 6;
const permutations = new Map<PoseidonWidth, (state: bigint[]) => bigint[]>();

/** Field elements from the chain `h0 = BLAKE2b-256(seed)`, `h(i+1) = BLAKE2b-256(h(i))`, read little-endian, reduced. */
function constantChain(seed: string, count: number): bigint[] {
  const elements: bigint[] = [];
  let digest = new TextEncoder().encode(seed);
  for (let i = 0; i < count; i++) {
    digest = blake2b(digest, { dkLen: 32 }) as Uint8Array<ArrayBuffer>;
    let value = 0n;
    for (let byte = 31; byte >= 0; byte--) value = (value << 8n) | BigInt(digest[byte] as number);
    elements.push(value % FIELD_PRIME);
  }
  return elements;
}

/** One constant a round, the same for every lane; independent of the width. */
export function roundConstants(t: PoseidonWidth): bigint[] {
  return constantChain('poseidon_constants', FULL_ROUNDS + PARTIAL_ROUNDS[t]);
}

/** Cauchy matrix `M[i][j] = 1 / (c[i] − c[t + j])` of the chain `poseidon_matrix_0000`. */
export function mdsMatrix(t: PoseidonWidth): bigint[][] {
  const c = constantChain('poseidon_matrix_0000', 2 * t);
  return Array.from({ length: t }, (_, i) =>
    Array.from({ length: t }, (_, j) => Fp.inv(Fp.sub(c[i] as bigint, c[t + j] as bigint))),
  );
}

function permutationOf(t: PoseidonWidth): (state: bigint[]) => bigint[] {
  let built = permutations.get(t);
  if (!built) {
    built = permutation({
      Fp,
      t,
      roundsFull: FULL_ROUNDS,
      roundsPartial: PARTIAL_ROUNDS[t],
      sboxPower: 5,
      mds: mdsMatrix(t),
      roundConstants: roundConstants(t).map((constant) => Array<bigint>(t).fill(constant)),
      reversePartialPowIdx: false,
    });
    permutations.set(t, built);
  }
  return built;
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
 */
export function poseidon(inputs: readonly bigint[], t: PoseidonWidth): bigint {
  if (!Object.hasOwn(PARTIAL_ROUNDS, t)) throw new CryptoError('input-count', `poseidon has no width t=${t}`);
  if (inputs.length < 1 || inputs.length > t - 1)
    throw new CryptoError('input-count', `poseidon t=${t} takes 1 to ${t - 1} inputs, got ${inputs.length}`);
  const state = Array<bigint>(t).fill(0n);
  for (const [index, input] of inputs.entries()) {
    if (input < 0n || input >= FIELD_PRIME)
      throw new CryptoError('field-range', `poseidon input ${index} is outside the field`);
    state[index] = input;
  }
  return permutationOf(t)(state)[0] as bigint;
}
