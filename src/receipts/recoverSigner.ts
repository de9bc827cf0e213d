import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Hex } from '../ethereum/address.ts';
import { personalMessageDigest } from '../ethereum/personalMessage.ts';

// The curve is computed when this is loaded, for longer than a start may wait.
const curve = () => import('../ethereum/signature.ts');

/**
 * Whether a `personal_sign` signature over a text is the owner's.
 * @param signature - 65 bytes r, s, v. Signers return v as 0, 1, 27 or 28; one that returns
 *   anything else is recognised by trying both.
 * @param owner - an address in any letter case.
 */
export const isTextSignature = async (text: string, signature: Uint8Array, owner: string): Promise<boolean> =>
  (await textRecoveryBit(text, signature, owner)) !== null;

/** The recovery bit with which a `personal_sign` signature is the owner's; `null` with none. */
export const textRecoveryBit = (text: string, signature: Uint8Array, owner: string): Promise<0 | 1 | null> =>
  recoveryBit(personalMessageDigest(text), signature, owner);

/**
 * The owner's signature over a 32-byte digest, such as that of typed data, in the form that
 * contracts and relayers take: the lower s, v of 27 or 28. Hardware signers that cannot show typed
 * data answer with `personal_sign` over the digest's bytes; relayers take that too.
 * @param digest - 0x + 64 hex digits.
 * @param signature - 0x + 130 hex digits.
 * @returns `null` when the owner did not sign this digest.
 */
export async function ownerSignature(digest: string, signature: string, owner: string): Promise<Hex | null> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null;
  const bytes = hexToBytes(signature.slice(2));
  const bit =
    (await recoveryBit(digest as Hex, bytes, owner)) ??
    (await recoveryBit(personalMessageDigest(hexToBytes(digest.slice(2))), bytes, owner));
  if (bit === null) return null;
  // Either s is valid, and contracts and relayers take the lower one only.
  const { ORDER } = await curve();
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const isHigh = s > ORDER >> 1n;
  const low = (isHigh ? ORDER - s : s).toString(16).padStart(64, '0');
  return `0x${bytesToHex(bytes.subarray(0, 32))}${low}${(bit === 1) !== isHigh ? '1c' : '1b'}`;
}

/** The recovery bit with which the signature gives the owner's address. */
async function recoveryBit(digest: Hex, signature: Uint8Array, owner: string): Promise<0 | 1 | null> {
  if (signature.length !== 65) return null;
  const { recoverAddress } = await curve();
  const v = signature[64] as number;
  const known = [0, 1, 27, 28].includes(v) ? ([v % 27] as (0 | 1)[]) : ([0, 1] as const);
  const address = owner.toLowerCase();
  return known.find((bit) => recoverAddress(digest, signature.subarray(0, 64), bit)?.toLowerCase() === address) ?? null;
}
