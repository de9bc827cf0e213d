import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Hex } from './address.ts';

/**
 * EIP-191: the digest that `personal_sign` signs for a text, which is taken as UTF-8, or for bytes.
 */
export function personalMessageDigest(message: string | Uint8Array): Hex {
  const bytes = typeof message === 'string' ? utf8ToBytes(message) : message;
  return `0x${bytesToHex(keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes)))}`;
}
