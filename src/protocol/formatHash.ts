import type { Hex } from './fields.ts';

/** `0x` and 64 lower-case hex digits of a non-negative integer below 2^256. */
export function formatHash(hash: bigint): Hex {
  if (hash < 0n || hash >= 1n << 256n) throw new RangeError('a hash is an integer below 2^256');
  return `0x${hash.toString(16).padStart(64, '0')}`;
}
