import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** A private key that others are derived from (BIP-32). */
export interface ExtendedKey {
  /** 32 bytes, from 1 to the order of the curve − 1. */
  readonly key: Uint8Array;
  readonly chainCode: Uint8Array;
}

/** Added to the number of a key whose parent's public key does not give it. */
export const HARDENED = 0x8000_0000;

const { Fn } = secp256k1.Point;

const halves = (digest: Uint8Array) => ({ left: digest.subarray(0, 32), chainCode: digest.slice(32) });

/**
 * Key with this number below another one.
 * @throws {Error} The number has no key, which no input is known for: the chance is 1 in 2^127.
 */
export function childKey({ key, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, index);
  const parent = index < HARDENED ? secp256k1.getPublicKey(key, true) : concatBytes(Uint8Array.of(0), key);
  const preimage = concatBytes(parent, number);
  const digest = hmac(sha512, chainCode, preimage);
  const { left, chainCode: next } = halves(digest);
  const sum = Fn.toBytes(Fn.add(Fn.fromBytes(left), Fn.fromBytes(key)));
  for (const secret of [parent, preimage, digest]) secret.fill(0);
  if (!secp256k1.utils.isValidSecretKey(sum)) throw new Error(`there is no key with the number ${index}`);
  return { key: sum, chainCode: next };
}

/** The key that all keys of a seed are derived from. */
export function masterKey(seed: Uint8Array): ExtendedKey {
  const digest = hmac(sha512, utf8ToBytes('Bitcoin seed'), seed);
  const { left, chainCode } = halves(digest);
  const key = left.slice();
  digest.fill(0);
  return { key, chainCode };
}
