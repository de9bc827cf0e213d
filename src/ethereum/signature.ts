import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { checksummed, type Hex } from './address.ts';

const { Signature, getPublicKey } = secp256k1;

/** Number of points of the curve. */
export const { ORDER } = secp256k1.Point.Fn;

/** Of a public key: the last 20 bytes of the hash of its coordinates. */
const addressOfPoint = (publicKey: Uint8Array): Hex =>
  checksummed(`0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))}`);

/** A number above zero and below the order of the curve. */
export const isPrivateKey = (bytes: Uint8Array): boolean => secp256k1.utils.isValidSecretKey(bytes);

/** @throws noble's error when the key is zero or not below the order of the curve. */
export const addressOfKey = (privateKey: Uint8Array): Hex => addressOfPoint(getPublicKey(privateKey, false));

/**
 * Functions for recovery phrases. They are reached through this file alone, so that the bundler
 * leaves the curve in its chunk and not in one that every page loads.
 */
export const phrases = () => import('./recoveryPhrase.ts');

const bytesOf = (digest: Hex): Uint8Array => hexToBytes(digest.slice(2));

/**
 * Signs a digest of 32 bytes: ECDSA on secp256k1 with the nonce of RFC 6979 and the lower s.
 * @returns 65 bytes r, s, v with v of 27 or 28.
 */
export function signDigest(digest: Hex, privateKey: Uint8Array): Uint8Array {
  const signature = secp256k1.sign(bytesOf(digest), privateKey, { prehash: false, format: 'recovered' });
  return concatBytes(signature.subarray(1), Uint8Array.of(27 + (signature[0] as number)));
}

/**
 * @param signature - 64 bytes r, s.
 * @returns Address of the key that made it over the digest, or `null` when no key did.
 */
export function recoverAddress(digest: Hex, signature: Uint8Array, bit: 0 | 1): Hex | null {
  try {
    const recoverable = Signature.fromBytes(concatBytes(Uint8Array.of(bit), signature), 'recovered');
    return addressOfPoint(recoverable.recoverPublicKey(bytesOf(digest)).toBytes(false));
  } catch {
    return null;
  }
}
