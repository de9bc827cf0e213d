import { sha256 } from '@noble/hashes/sha2.js';
import { type AffinePoint, getPublicKey, type SecretKey, SUBGROUP_ORDER } from '../crypto/index.ts';
import { MAX_UINT32 } from './limits.ts';

/**
 * Why no key came out of a signature: `seed` (inputs of the text), `zero-key` (choose another
 * seed).
 */
export type KeyDerivationErrorCode = 'seed' | 'zero-key';

/** The account key cannot be derived. The message never contains signature or key bytes. */
export class KeyDerivationError extends Error {
  override readonly name = 'KeyDerivationError';
  readonly code: KeyDerivationErrorCode;

  constructor(code: KeyDerivationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The text whose L1 signature yields the account key. Signing it anywhere hands over the account.
 * @param exchange - exactly as the relayer's exchange info prints it: the letter case is hashed.
 * @param nonce - the account's nonce when a key is made, nonce − 1 at log-in.
 * @throws {KeyDerivationError} `seed`
 */
export function keySeedText(exchange: string, nonce: number): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(exchange)) throw new KeyDerivationError('seed', 'the exchange is not an address');
  if (!Number.isSafeInteger(nonce) || nonce < 0 || nonce > MAX_UINT32)
    throw new KeyDerivationError('seed', 'the key nonce is outside 0 to 2^32 - 1');
  return `Sign this message to access Loopring Exchange: ${exchange} with key nonce: ${nonce}`;
}

/**
 * `k = SHA-256(signature bytes)`, read little-endian, modulo the subgroup order.
 * @param signature - what personal_sign returned, normally 65 bytes; contract wallets return more.
 *   Not kept; the caller wipes it.
 * @throws {KeyDerivationError} `zero-key` (never seen; probability 2^-251).
 */
export function secretKeyFromSignature(signature: Uint8Array): SecretKey {
  const digest = sha256(signature);
  let k = 0n;
  for (let i = 31; i >= 0; i--) k = (k << 8n) | BigInt(digest[i] as number);
  digest.fill(0);
  k %= SUBGROUP_ORDER;
  if (k === 0n) throw new KeyDerivationError('zero-key', 'the signature yields the key zero');
  const secretKey = new Uint8Array(32);
  for (let i = 0; i < 32; i++, k >>= 8n) secretKey[i] = Number(k & 0xffn);
  return secretKey;
}

/** The forms of the last byte in which signers return the recovery bit. */
export const V_FORMS = [0x1b, 0x1c, 0x00, 0x01];

/**
 * Finds the key that the account has registered. Signers differ in the last byte of a signature,
 * and the byte is hashed into the key: the returned form is tried first, then 1b, 1c, 00, 01.
 * Longer signatures of contract wallets have no such byte and are tried as they are.
 * @param registered - the account's public key.
 * @returns The secret key and the last byte that gave it, or `null` when none matches: never sign
 *   with another key.
 */
export function matchSignatureToKey(
  signature: Uint8Array,
  registered: AffinePoint,
): { readonly secretKey: SecretKey; readonly v: number } | null {
  const returned = signature[signature.length - 1];
  if (returned === undefined) return null;
  const forms = signature.length === 65 ? [...new Set([returned, ...V_FORMS])] : [returned];
  const candidate = Uint8Array.from(signature);
  try {
    for (const v of forms) {
      candidate[candidate.length - 1] = v;
      const secretKey = secretKeyFromSignature(candidate);
      const { x, y } = getPublicKey(secretKey);
      if (x === registered.x && y === registered.y) return { secretKey, v };
      secretKey.fill(0);
    }
    return null;
  } finally {
    candidate.fill(0);
  }
}
