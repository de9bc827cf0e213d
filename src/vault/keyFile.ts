import { z } from 'zod/mini';
import { once } from '../protocol/once.ts';
import { parseJson } from '../protocol/parseJson.ts';
import type { Bytes } from './encoding.ts';
import { toBase64 } from './encoding.ts';
import { VaultError } from './errors.ts';
import { defaultKdfCost, deriveKey, type KdfCost, type KdfHeader, kdfData, kdfSchema } from './kdf.ts';
import { type AssociatedData, open, seal, sealedSchema } from './seal.ts';

/**
 * Account of a key in a file. Public facts, readable without the password and bound to the
 * ciphertext.
 */
const aboutSchema = once(() =>
  z.strictObject({
    exchange: z.string().check(z.maxLength(100)),
    chainId: z.int().check(z.minimum(0)),
    accountId: z.int().check(z.minimum(0)),
    owner: z.string().check(z.maxLength(100)),
    /** 0x + 64 hex digits each. */
    publicKey: z.strictObject({ x: z.string().check(z.maxLength(100)), y: z.string().check(z.maxLength(100)) }),
  }),
);

export type KeyFileAbout = z.output<ReturnType<typeof aboutSchema>>;

const fileSchema = once(() =>
  z.strictObject({
    format: z.literal('countersign-key'),
    version: z.literal(1),
    about: aboutSchema(),
    kdf: kdfSchema(),
    sealed: sealedSchema(),
  }),
);

/** A key file larger than this is not even parsed, in characters. */
const MAX_LENGTH = 10_000;

const associated = (about: KeyFileAbout, kdf: KdfHeader): AssociatedData => [
  'countersign-key',
  1,
  about.exchange,
  about.chainId,
  about.accountId,
  about.owner,
  about.publicKey.x,
  about.publicKey.y,
  ...kdfData(kdf),
];

/**
 * One account key as the text of a backup file, encrypted under a password of its own derivation.
 * @param secretKey - The caller wipes it.
 */
export async function sealKeyFile(
  secretKey: Uint8Array,
  about: KeyFileAbout,
  password: string,
  randomBytes: (length: number) => Bytes,
  cost: KdfCost = defaultKdfCost,
): Promise<string> {
  const kdf: KdfHeader = { name: 'argon2id', ...cost, salt: toBase64(randomBytes(16)) };
  const plain = new Uint8Array(secretKey);
  try {
    const sealed = await seal(await deriveKey(password, kdf), plain, associated(about, kdf), randomBytes);
    return JSON.stringify({ format: 'countersign-key', version: 1, about, kdf, sealed }, null, 2);
  } finally {
    plain.fill(0);
  }
}

/**
 * Opens a key file. Whether the key belongs to the public key that the file names is for the caller
 * to compute.
 * @returns The secret key, which the caller wipes.
 * @throws {VaultError} `bad-file`, `kdf-bounds`, `wrong-password`.
 */
export async function openKeyFile(text: string, password: string): Promise<{ secretKey: Bytes; about: KeyFileAbout }> {
  const { about, kdf, sealed } = parse(text);
  const secretKey = await open(await deriveKey(password, kdf), sealed, associated(about, kdf));
  if (!secretKey) throw new VaultError('wrong-password');
  return { secretKey, about };
}

function parse(text: string): z.output<ReturnType<typeof fileSchema>> {
  const { data } = text.length <= MAX_LENGTH ? fileSchema().safeParse(parseJson(text)) : {};
  if (data) return data;
  throw new VaultError('bad-file');
}
