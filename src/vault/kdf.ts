import { argon2id } from 'hash-wasm';
import { z } from 'zod/mini';
import { once } from '../protocol/once.ts';
import { type Bytes, fromBase64, utf8 } from './encoding.ts';
import { VaultError } from './errors.ts';

/** Cost of the key derivation. Its bounds are `kdfBounds`. */
export interface KdfCost {
  /** Memory in KiB. */
  readonly memoryKiB: number;
  /** Passes over the memory. */
  readonly passes: number;
  readonly parallelism: number;
}

/**
 * Accepted costs. The lower ends are the least that OWASP recommends for Argon2id: a header that
 * was changed to less would make a copied vault cheap to guess. The upper ends keep a changed
 * header from freezing the browser.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
export const kdfBounds = {
  memoryKiB: [19 * 1024, 1024 * 1024],
  passes: [2, 10],
  parallelism: [1, 4],
} as const;

/**
 * About a quarter of a second on a 2-core machine. One lane, because WebAssembly computes lanes one
 * after another.
 */
export const defaultKdfCost: KdfCost = { memoryKiB: 64 * 1024, passes: 3, parallelism: 1 };

/**
 * The form in the header; bounds are checked apart, since passing them is another error than a
 * damaged header.
 */
export const kdfSchema = once(() =>
  z.strictObject({
    name: z.literal('argon2id'),
    memoryKiB: z.int(),
    passes: z.int(),
    parallelism: z.int(),
    /** Base64 of 16 bytes. */
    salt: z.base64().check(z.length(24)),
  }),
);

export type KdfHeader = z.output<ReturnType<typeof kdfSchema>>;

/** The header as a part of associated data: what it says is bound to the ciphertext. */
export const kdfData = ({ name, memoryKiB, passes, parallelism, salt }: KdfHeader) =>
  [name, memoryKiB, passes, parallelism, salt] as const;

/** @throws {VaultError} `kdf-bounds`. */
export function checkKdfCost(cost: KdfCost): void {
  for (const name of ['memoryKiB', 'passes', 'parallelism'] as const) {
    const [least, most] = kdfBounds[name];
    if (Number.isInteger(cost[name]) && cost[name] >= least && cost[name] <= most) continue;
    throw new VaultError('kdf-bounds', `key derivation: ${name} must be ${least} to ${most}, not ${cost[name]}`);
  }
}

/**
 * Derives the key-encryption key from a password.
 * @param password - Any text but the empty one; compared after Unicode NFKC, so that the same
 *   characters typed on another keyboard open the vault.
 * @throws {VaultError} `kdf-bounds` before any work; `bad-input` for an empty password.
 */
export async function deriveKey(password: string, header: KdfHeader): Promise<CryptoKey> {
  checkKdfCost(header);
  if (password.length === 0) throw new VaultError('bad-input', 'the password is empty');
  const passwordBytes: Bytes = utf8(password.normalize('NFKC'));
  let raw: Bytes | undefined;
  try {
    raw = (await argon2id({
      password: passwordBytes,
      salt: fromBase64(header.salt),
      memorySize: header.memoryKiB,
      iterations: header.passes,
      parallelism: header.parallelism,
      hashLength: 32,
      outputType: 'binary',
    })) as Bytes;
    return await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
  } finally {
    passwordBytes.fill(0);
    raw?.fill(0);
  }
}
