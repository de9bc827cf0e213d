import { bytesToNumberLE, concatBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { type AffinePoint, multiplyBase } from './babyJubjub.ts';
import { SUBGROUP_ORDER } from './constants.ts';
import { CryptoError, secretKeyRange, signatureDiscarded } from './errors.ts';
import { isOnCurve, PreparedKey } from './publicArithmetic.ts';
import type { Signature } from './signature.ts';
import { challenge, checkSigning, satisfies } from './verify.ts';

/**
 * EdDSA over Baby Jubjub with a Poseidon challenge (relayer protocol, signing rules section 3).
 *
 * Constant time: the two secret multiplications (`k·B`, `r·B`) go through noble's blinded
 * fixed-window path. Not constant time: JavaScript's BigInt itself (the additions and the product
 * `k·c` modulo the order), and everything on public data (Poseidon, verification). Secret bytes are
 * zeroed after use where they are typed arrays; BigInts cannot be wiped.
 */

/**
 * A secret key: the scalar `k`, `1 <= k < SUBGROUP_ORDER`, as 32 little-endian bytes. The caller
 * owns and wipes it.
 */
export type SecretKey = Uint8Array;

function scalarOf(secretKey: SecretKey): bigint {
  if (secretKey.length !== 32) throw secretKeyRange();
  const k = bytesToNumberLE(secretKey);
  if (k < 1n || k >= SUBGROUP_ORDER) throw secretKeyRange();
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
 * `r = SHA-512(LE32(k) ‖ LE32(m)) mod L`. As secret as the key; exported for the vectors only, not
 * by `index.ts`.
 */
export function secretNonce(secretKey: SecretKey, message: bigint): bigint {
  const preimage = concatBytes(secretKey, numberToBytesLE(message, 32));
  const digest = sha512(preimage);
  const nonce = bytesToNumberLE(digest) % SUBGROUP_ORDER;
  preimage.fill(0);
  digest.fill(0);
  return nonce;
}

/** Signs with one key. Holds a copy of the secret bytes until `wipe`. */
export interface Signer {
  /** `A = k·B`. */
  readonly publicKey: AffinePoint;
  /**
   * Signs one field element. Deterministic: `r = SHA-512(k ‖ m) mod L`. `S` is reduced modulo the
   * **subgroup** order; the wider reduction that other clients use gives away about three bits of
   * `k` with every signature. The signature is verified, with arithmetic other than the one that
   * made it, before it is returned.
   * @param message - `0n <= message < p`
   * @throws {CryptoError} `field-range`, `signer-wiped`, or `self-check-failed` when the result
   *   does not verify (a fault); nothing leaves in that case.
   */
  sign(message: bigint): Signature;
  /** Zeroes the copy of the secret bytes; later calls of `sign` are refused. */
  wipe(): void;
}

/**
 * Prepares a key for several signatures: the public key is computed once, here, and stays inside.
 * It is never taken from outside, because a foreign one would reuse the nonce under another
 * challenge and so reveal the secret key.
 *
 * The check after signing tests the full equation `S·B = R + c·A`, and that A is on the curve. It
 * leaves out what `verify` asks of strangers, the multiplication of A by L: A and R are multiples
 * of the base point, or a fault made them something else, and then the equation does not hold.
 * @throws {CryptoError} `secret-key-range`
 */
export function createSigner(secretKey: SecretKey): Signer {
  const A = Object.freeze(getPublicKey(secretKey));
  if (!isOnCurve(A)) throw new CryptoError('self-check-failed', 'the public key is not on the curve');
  const key = new PreparedKey(A);
  const secret = Uint8Array.from(secretKey);
  let wiped = false;

  return {
    publicKey: A,
    sign(message) {
      checkSigning(wiped, message);
      const r = secretNonce(secret, message);
      const R = multiplyBase(r);
      const c = challenge(R, A, message);
      const signature = { Rx: R.x, Ry: R.y, S: (r + scalarOf(secret) * c) % SUBGROUP_ORDER };
      if (!satisfies(key, signature, message)) throw signatureDiscarded();
      return signature;
    },
    wipe() {
      wiped = true;
      secret.fill(0);
    },
  };
}
