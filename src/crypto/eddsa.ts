import { bytesToNumberLE, concatBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { type AffinePoint, multiplyBase, Point, subgroupPoint } from './babyJubjub.ts';
import { FIELD_PRIME, GROUP_ORDER, SUBGROUP_ORDER } from './constants.ts';
import { CryptoError } from './errors.ts';
import { poseidon } from './poseidon.ts';

/**
 * EdDSA over Baby Jubjub with a Poseidon challenge (relayer protocol, signing rules section 3).
 *
 * Constant time: the two secret multiplications (`k·B`, `r·B`) go through noble's blinded fixed-window path. Not constant
 * time: JavaScript's BigInt itself (the additions and the product `k·c` modulo the order), and everything on public
 * data (Poseidon, verification). Secret bytes are zeroed after use where they are typed arrays; BigInts cannot be wiped.
 */

/** A secret key: the scalar `k`, `1 <= k < SUBGROUP_ORDER`, as 32 little-endian bytes. The caller owns and wipes it. */
export type SecretKey = Uint8Array;

/** A signature. `S` of ours is below `SUBGROUP_ORDER`; other clients emit up to `GROUP_ORDER`. */
export interface Signature {
  readonly Rx: bigint;
  readonly Ry: bigint;
  readonly S: bigint;
}

function scalarOf(secretKey: SecretKey): bigint {
  if (secretKey.length !== 32) throw new CryptoError('secret-key-range', 'a secret key has 32 bytes');
  const k = bytesToNumberLE(secretKey);
  if (k < 1n || k >= SUBGROUP_ORDER)
    throw new CryptoError('secret-key-range', 'a secret key is between 1 and the subgroup order − 1');
  return k;
}

/**
 * `A = k·B`.
 * @throws {CryptoError} `secret-key-range`
 */
export function getPublicKey(secretKey: SecretKey): AffinePoint {
  return multiplyBase(scalarOf(secretKey));
}

/**
 * Signs one field element. Deterministic: `r = SHA-512(k ‖ m) mod L`. `S` is reduced modulo the **subgroup** order; the
 * wider reduction that other clients use gives away about three bits of `k` with every signature. The public key is
 * computed here and never taken as an argument, because a foreign one would reuse the nonce under another challenge.
 * The signature is verified before it is returned.
 * @param message - `0n <= message < p`
 * @throws {CryptoError} `field-range`, `secret-key-range`, or `self-check-failed` when the result does not verify
 *   (a fault); nothing leaves in that case.
 */
export function sign(message: bigint, secretKey: SecretKey): Signature {
  if (message < 0n || message >= FIELD_PRIME) throw new CryptoError('field-range', 'the message is outside the field');
  const k = scalarOf(secretKey);
  const publicKey = multiplyBase(k);
  const r = secretNonce(secretKey, message);
  const R = multiplyBase(r);
  const c = challenge(R, publicKey, message);
  const signature = { Rx: R.x, Ry: R.y, S: (r + k * c) % SUBGROUP_ORDER };
  if (!verify(signature, message, publicKey))
    throw new CryptoError('self-check-failed', 'the new signature does not verify and was discarded');
  return signature;
}

/** `r = SHA-512(LE32(k) ‖ LE32(m)) mod L`. As secret as the key; exported for the vectors only, not by `index.ts`. */
export function secretNonce(secretKey: SecretKey, message: bigint): bigint {
  const preimage = concatBytes(secretKey, numberToBytesLE(message, 32));
  const digest = sha512(preimage);
  const nonce = bytesToNumberLE(digest) % SUBGROUP_ORDER;
  preimage.fill(0);
  digest.fill(0);
  return nonce;
}

/** Poseidon(R, A, m) at t = 6, used unreduced as an integer. */
export function challenge(R: AffinePoint, A: AffinePoint, message: bigint): bigint {
  return poseidon([R.x, R.y, A.x, A.y, message], 6);
}

/**
 * Strict verification: `A` and `R` in the prime subgroup and not neutral, `0 <= S < GROUP_ORDER` (both reductions are
 * accepted), message in the field, and `S·B = R + c·A`. The signature is malleable (`S + L` also verifies), so its bytes
 * are never an identifier. Not constant time; all inputs are public.
 */
export function verify(signature: Signature, message: bigint, publicKey: AffinePoint): boolean {
  const { Rx, Ry, S } = signature;
  if (message < 0n || message >= FIELD_PRIME || S < 0n || S >= GROUP_ORDER) return false;
  const A = subgroupPoint(publicKey);
  const R = subgroupPoint({ x: Rx, y: Ry });
  if (!A || !R) return false;
  const c = challenge({ x: Rx, y: Ry }, publicKey, message) % SUBGROUP_ORDER;
  return Point.BASE.multiplyUnsafe(S % SUBGROUP_ORDER).equals(R.add(A.multiplyUnsafe(c)));
}

/** Wire form: `0x`, then Rx, Ry and S as 64 lower-case hex digits each. */
export function formatSignature({ Rx, Ry, S }: Signature): `0x${string}` {
  return `0x${[Rx, Ry, S].map((part) => part.toString(16).padStart(64, '0')).join('')}`;
}

/**
 * Reads the wire form; upper-case digits are accepted. Ranges are left to `verify`.
 * @throws {CryptoError} `signature-format`
 */
export function parseSignature(text: string): Signature {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{192}$/.test(text))
    throw new CryptoError('signature-format', 'a signature is 0x and 192 hex digits (Rx, Ry, S)');
  const part = (index: number) => BigInt(`0x${text.slice(2 + 64 * index, 66 + 64 * index)}`);
  return { Rx: part(0), Ry: part(1), S: part(2) };
}
