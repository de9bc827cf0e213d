import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** EIP-191 over bytes. */
const personal = (message: Uint8Array): Uint8Array =>
  keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message));

/**
 * Whether a `personal_sign` signature over a text is the owner's. viem's own recovery loads a module on demand, which service
 * workers forbid.
 * @param signature - 65 bytes r, s, v. Signers return v as 0, 1, 27 or 28; one that returns anything else is recognised by trying both.
 * @param owner - an address in any letter case.
 */
export const isTextSignature = (text: string, signature: Uint8Array, owner: string): boolean =>
  recoveryBit(personal(utf8ToBytes(text)), signature, owner) !== null;

/**
 * The owner's signature over a 32-byte digest, such as that of typed data, in the form that contracts and relayers take: v of 27
 * or 28. Hardware signers that cannot show typed data answer with `personal_sign` over the digest's bytes; relayers take that too.
 * @param digest - 0x + 64 hex digits.
 * @param signature - 0x + 130 hex digits.
 * @returns `null` when the owner did not sign this digest.
 */
export function ownerSignature(digest: string, signature: string, owner: string): `0x${string}` | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null;
  const bytes = hexToBytes(signature.slice(2));
  const message = hexToBytes(digest.slice(2));
  const bit = recoveryBit(message, bytes, owner) ?? recoveryBit(personal(message), bytes, owner);
  return bit === null ? null : `0x${bytesToHex(bytes.subarray(0, 64))}${bit === 0 ? '1b' : '1c'}`;
}

/** The recovery bit with which the signature gives the owner's address. */
function recoveryBit(digest: Uint8Array, signature: Uint8Array, owner: string): 0 | 1 | null {
  const v = signature[64];
  if (signature.length !== 65 || v === undefined) return null;
  const known = [0, 1, 27, 28].includes(v) ? ([v % 27] as (0 | 1)[]) : ([0, 1] as const);
  for (const bit of known) if (addressOf(digest, signature, bit) === owner.toLowerCase()) return bit;
  return null;
}

function addressOf(digest: Uint8Array, signature: Uint8Array, bit: 0 | 1): string | null {
  try {
    const recoverable = concatBytes(Uint8Array.of(bit), signature.subarray(0, 64));
    const compressed = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false });
    const point = secp256k1.Point.fromBytes(compressed).toBytes(false);
    return `0x${bytesToHex(keccak_256(point.subarray(1)).subarray(12))}`;
  } catch {
    return null;
  }
}
