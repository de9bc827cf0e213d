import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The L1 address whose key made a `personal_sign` signature over a text, lower case. viem's own recovery loads a module
 * on demand, which service workers forbid.
 * @param signature - 65 bytes r, s, v; v is 0, 1, 27 or 28.
 * @returns `null` when the bytes are no such signature.
 */
export function recoverSigner(text: string, signature: Uint8Array): string | null {
  const message = utf8ToBytes(text);
  const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`);
  return recover(keccak_256(concatBytes(prefix, message)), signature);
}

/**
 * The L1 address whose key signed a 32-byte digest, such as that of typed data.
 * @param digest - 0x + 64 hex digits.
 * @param signature - 0x + 130 hex digits.
 */
export const recoverDigestSigner = (digest: string, signature: string): string | null =>
  recover(hexToBytes(digest.slice(2)), hexToBytes(signature.slice(2)));

function recover(digest: Uint8Array, signature: Uint8Array): string | null {
  const v = signature[64];
  if (signature.length !== 65 || v === undefined || ![0, 1, 27, 28].includes(v)) return null;
  try {
    const recoverable = concatBytes(Uint8Array.of(v % 27), signature.subarray(0, 64));
    const compressed = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false });
    const point = secp256k1.Point.fromBytes(compressed).toBytes(false);
    return `0x${bytesToHex(keccak_256(point.subarray(1)).subarray(12))}`;
  } catch {
    return null;
  }
}
