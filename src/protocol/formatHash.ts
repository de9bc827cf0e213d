import type { Hex } from './fields.ts';

/** `0x` and 64 lower-case hex digits of a non-negative integer below 2^256. */
export function formatHash(hash: bigint): Hex {
  if (hash < 0n || hash >= 1n << 256n) throw new RangeError('a hash is an integer below 2^256');
  return `0x${hash.toString(16).padStart(64, '0')}`;
}

/**
 * Hash as a relayer prints it, perhaps without its leading zeros, in the form of `formatHash`;
 * `null` when it is none.
 */
export const fullHash = (text: unknown): Hex | null =>
  typeof text === 'string' && /^0x[0-9a-f]{1,64}$/i.test(text) ? formatHash(BigInt(text)) : null;
