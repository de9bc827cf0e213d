import { concat, type Hex, hashMessage, recoverAddress, toHex } from 'viem';

/**
 * Whether a `personal_sign` signature over a text is the owner's.
 * @param signature - 65 bytes r, s, v. Signers return v as 0, 1, 27 or 28; one that returns anything else is recognised by trying both.
 * @param owner - an address in any letter case.
 */
export const isTextSignature = async (text: string, signature: Uint8Array, owner: string): Promise<boolean> =>
  (await recoveryBit(hashMessage(text), toHex(signature), owner)) !== null;

/**
 * The owner's signature over a 32-byte digest, such as that of typed data, in the form that contracts and relayers take: v of 27
 * or 28. Hardware signers that cannot show typed data answer with `personal_sign` over the digest's bytes; relayers take that too.
 * @param digest - 0x + 64 hex digits.
 * @param signature - 0x + 130 hex digits.
 * @returns `null` when the owner did not sign this digest.
 */
export async function ownerSignature(digest: string, signature: string, owner: string): Promise<Hex | null> {
  const bit =
    (await recoveryBit(digest as Hex, signature, owner)) ??
    (await recoveryBit(hashMessage({ raw: digest as Hex }), signature, owner));
  return bit === null
    ? null
    : (concat([signature.slice(0, 130) as Hex, bit === 0 ? '0x1b' : '0x1c']).toLowerCase() as Hex);
}

/** The recovery bit with which the signature gives the owner's address. */
async function recoveryBit(hash: Hex, signature: string, owner: string): Promise<0 | 1 | null> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null;
  const v = Number.parseInt(signature.slice(130), 16);
  const known = [0, 1, 27, 28].includes(v) ? ([v % 27] as (0 | 1)[]) : ([0, 1] as const);
  for (const bit of known) {
    const recoverable = concat([signature.slice(0, 130) as Hex, bit === 0 ? '0x1b' : '0x1c']);
    // What is no signature of anybody recovers to nobody.
    const address = await recoverAddress({ hash, signature: recoverable }).catch(() => undefined);
    if (address?.toLowerCase() === owner.toLowerCase()) return bit;
  }
  return null;
}
