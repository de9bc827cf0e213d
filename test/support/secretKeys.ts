import { numberToBytesLE } from '@noble/curves/utils.js';
import type { SecretKey } from '../../src/crypto/index.ts';

/**
 * A scalar as the 32 little-endian bytes that `sign` takes. Accepts scalars outside the valid
 * range, for refusal tests.
 */
export function secretKeyOf(scalar: bigint | string): SecretKey {
  return numberToBytesLE(BigInt(scalar), 32);
}
