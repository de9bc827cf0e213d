import { z } from 'zod/mini';
import { once } from '../protocol/once.ts';
import { type Bytes, fromBase64, toBase64, utf8 } from './encoding.ts';
import { VaultError } from './errors.ts';

/** AES-256-GCM with a random 96-bit nonce; the 128-bit tag is the end of `data`. Both base64. */
export const sealedSchema = once(() =>
  z.strictObject({ nonce: z.base64().check(z.length(16)), data: z.base64().check(z.minLength(24)) }),
);

export type Sealed = z.output<ReturnType<typeof sealedSchema>>;

/**
 * Context that a ciphertext is bound to. Encoded as JSON, so that no two different lists give the
 * same bytes.
 */
export type AssociatedData = readonly (string | number)[];

const parametersOf = (nonce: Bytes, associated: AssociatedData) => ({
  name: 'AES-GCM',
  iv: nonce,
  additionalData: utf8(JSON.stringify(associated)),
});

/**
 * Encrypts; each call takes a fresh nonce. A data key seals a few thousand records in its life, far
 * below 2^32.
 */
export async function seal(
  key: CryptoKey,
  plain: Bytes,
  associated: AssociatedData,
  randomBytes: (length: number) => Bytes,
): Promise<Sealed> {
  const nonce = randomBytes(12);
  const data = await crypto.subtle.encrypt(parametersOf(nonce, associated), key, plain);
  return { nonce: toBase64(nonce), data: toBase64(new Uint8Array(data)) };
}

/**
 * @returns The plain bytes, or undefined when key, ciphertext or associated data do not belong
 *   together.
 */
export async function open(key: CryptoKey, sealed: Sealed, associated: AssociatedData): Promise<Bytes | undefined> {
  const nonce = fromBase64(sealed.nonce);
  const data = fromBase64(sealed.data);
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parametersOf(nonce, associated), key, data));
  } catch (error) {
    if (error instanceof Error && error.name === 'OperationError') return undefined;
    throw error;
  }
}

/** Makes a random data key usable. @throws {VaultError} `corrupt` when it has not 256 bits. */
export async function importDataKey(raw: Bytes): Promise<CryptoKey> {
  if (raw.length !== 32) throw new VaultError('corrupt', 'the data key has a wrong length');
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
