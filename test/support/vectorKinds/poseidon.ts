import {
  FIELD_PRIME,
  PARTIAL_ROUNDS,
  type PoseidonWidth,
  poseidon as productPoseidon,
} from '../../../src/crypto/index.ts';
import { poseidonReference, roundCounts } from '../poseidonReference.ts';
import type { VectorCheck } from './findings.ts';

interface Vector {
  t: number;
  fullRounds: number;
  partialRounds: number;
  inputs: string[];
  hash: string;
  hashHex: string;
}

const isProductWidth = (t: number): t is PoseidonWidth => Object.hasOwn(PARTIAL_ROUNDS, t);

/**
 * Every width through the reference, and the widths that the product hashes with through the
 * product as well. Inputs at or above the prime, which the reference client reduces, must be
 * refused by the product.
 */
export const poseidon: VectorCheck<Vector> = (vector, findings) => {
  const { t } = vector;
  const { full, partial } = roundCounts(t);
  findings.equal('fullRounds', full, vector.fullRounds);
  findings.equal('partialRounds', partial, vector.partialRounds);
  const inputs = vector.inputs.map(BigInt);
  const reduced = inputs.map((input) => input % FIELD_PRIME);
  const reference = poseidonReference(reduced, t);
  findings.equal('hash (reference)', reference, vector.hash);
  findings.equal('hashHex', `0x${reference.toString(16).padStart(64, '0')}`, vector.hashHex);
  if (!isProductWidth(t)) return;
  findings.equal('hash', productPoseidon(reduced, t), vector.hash);
  if (inputs.some((input) => input >= FIELD_PRIME))
    findings.refuses('inputs', 'field-range', () => productPoseidon(inputs, t));
};
