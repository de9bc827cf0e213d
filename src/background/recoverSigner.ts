import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The L1 address whose key made a `personal_sign` signature over a text, lower case. viem's own recovery loads a module
 * on demand, which service workers forbid.
 * @param signature - 65 bytes r, s, v; v is 0, 1, 27 or 28.
 * @returns `null` when the bytes are no such signature.
 */
export function recoverSigner(text: string, signature: Uint8Array): string | null {
  const v = signature[64];
  if (signature.length !== 65 || v === undefined || ![0, 1, 27, 28].includes(v)) return null;
  const message = utf8ToBytes(text);
  const digest = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message));
  try {
    const recoverable = concatBytes(Uint8Array.of(v % 27), signature.subarray(0, 64));
    const compressed = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false });
    const point = secp256k1.Point.fromBytes(compressed).toBytes(false);
    return `0x${bytesToHex(keccak_256(point.subarray(1)).subarray(12))}`;
  } catch {
    return null;
  }
}
