import { z } from 'zod/mini';
import { once } from '../protocol/once.ts';
import { parseJson } from '../protocol/parseJson.ts';
import { lifted, type Steps } from '../storage/lifted.ts';
import { sha256Hex } from './encoding.ts';
import { VaultError } from './errors.ts';
import { kdfSchema } from './kdf.ts';
import { type AssociatedData, sealedSchema } from './seal.ts';

/** Version of the stored image. A change of shape raises it and adds one step to `migrations`. */
export const imageVersion = 3;

export const secretKinds = ['l1-key', 'eddsa-key', 'api-key', 'pending-eddsa-key', 'mnemonic'] as const;

const name = () => z.string().check(z.minLength(1), z.maxLength(256));

const info = once(() => ({
  id: name(),
  /** Whose secret it is, such as a network and account id or an address. Not secret. */
  account: name(),
  kind: z.enum(secretKinds),
}));

export const infoSchema = once(() => z.strictObject(info()));

/** Facts about a secret that are readable without the password. */
export type SecretInfo = z.output<ReturnType<typeof infoSchema>>;

const recordSchema = once(() =>
  z.strictObject({
    ...info(),
    /** Milliseconds since 1970. */
    createdAt: z.number(),
    /**
     * Version of the associated data that it was sealed with; a later image version may hold older
     * seals.
     */
    sealVersion: z.literal(1),
    sealed: sealedSchema(),
  }),
);

/** A P-256 public key, base64 of 65 bytes. */
const publicKey = () => z.base64().check(z.length(88));

/** Members of a way to the data key in the present form; see `wrap.ts`. */
const keyPair = once(() => ({
  sealVersion: z.literal(2),
  /** P-256, uncompressed. */
  publicKey: publicKey(),
  /** PKCS #8, sealed under what opens this wrap. */
  privateKey: sealedSchema(),
  /** The data key, encrypted to the public key. */
  dataKey: z.strictObject({ ephemeral: publicKey(), sealed: sealedSchema() }),
  /** Made with the data key: this public key is the one that it was given to before. */
  voucher: sealedSchema(),
}));

/** Members before version 3: the data key itself, sealed under what opens it. */
const direct = once(() => ({ sealVersion: z.literal(1), sealed: sealedSchema() }));

const password = once(() => ({ method: z.literal('password'), kdf: kdfSchema() }));

const passkey = once(() => ({
  method: z.literal('passkey'),
  /** WebAuthn credential id, base64url; at most 1,023 bytes. */
  credentialId: z.base64url().check(z.minLength(1), z.maxLength(1_364)),
  /** Input of the PRF extension: base64 of 32 random bytes. */
  prfSalt: z.base64().check(z.length(44)),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
}));

/** A way to the data key, in the form of before or the present one. */
const wrapOf = <Head extends z.core.$ZodShape>(head: Head) =>
  z.discriminatedUnion('sealVersion', [
    z.strictObject({ ...head, ...direct() }),
    z.strictObject({ ...head, ...keyPair() }),
  ]);

const passwordWrap = once(() => wrapOf(password()));
const passkeyWrap = once(() => wrapOf(passkey()));

const imageSchema = once(() =>
  z.strictObject({
    format: z.literal('countersign-vault'),
    version: z.literal(imageVersion),
    /** Random name of this vault, 32 hex digits. */
    vaultId: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    /** Random name of the data key: another one after each renewal. 32 hex digits. */
    keyId: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    /** Rises with each change. */
    generation: z.int().check(z.minimum(1)),
    /**
     * Ways to the data key. Each holds it encrypted under another key-encryption key; exactly one
     * is the password's.
     */
    wraps: z.array(z.discriminatedUnion('method', [passwordWrap(), passkeyWrap()])).check(
      z.maxLength(20),
      z.refine((wraps) => wraps.filter(({ method }) => method === 'password').length === 1),
    ),
    records: z.array(recordSchema()),
  }),
);

/**
 * The whole vault as it is stored: nothing in it needs to be secret, everything secret in it is
 * sealed.
 */
export type VaultImage = z.output<ReturnType<typeof imageSchema>>;
export type VaultRecord = VaultImage['records'][number];
/** Names of the vault and of the data key that something in it belongs to. */
export type Owner = Pick<VaultImage, 'vaultId' | 'keyId'>;

/**
 * Steps on the stored shape; secrets stay sealed, and `sealVersion` says with which data. Version 1
 * is the first there ever was, and knew passwords only; its shape is a part of version 2. Version 3
 * names the data key, which was never renewed before.
 */
export const migrations: Steps = { 1: (image) => image, 2: (image) => ({ ...image, keyId: image.vaultId }) };

/** The stored form: text and its SHA-256, which finds damage without the password. */
export const envelopeSchema = once(() =>
  z.strictObject({ sha256: z.string().check(z.length(64)), text: z.string().check(z.minLength(2)) }),
);
export type Envelope = z.output<ReturnType<typeof envelopeSchema>>;

export function recordAssociatedData(
  vaultId: string,
  record: SecretInfo & Pick<VaultRecord, 'sealVersion'>,
): AssociatedData {
  return ['countersign-vault/record', record.sealVersion, vaultId, record.id, record.account, record.kind];
}

export type PasswordWrap = z.output<ReturnType<typeof passwordWrap>>;
export type PasskeyWrap = z.output<ReturnType<typeof passkeyWrap>>;
export type Wrap = PasswordWrap | PasskeyWrap;
/** The part of a wrap that leads to the data key. */
export type KeyPairWrap = Pick<
  Extract<Wrap, { sealVersion: 2 }>,
  'sealVersion' | 'publicKey' | 'privateKey' | 'dataKey' | 'voucher'
>;

export const passwordOf = ({ wraps }: VaultImage): PasswordWrap =>
  wraps.find((wrap) => wrap.method === 'password') as PasswordWrap;

export const passkeysOf = ({ wraps }: VaultImage): PasskeyWrap[] => wraps.filter((wrap) => wrap.method === 'passkey');

/** @throws {VaultError} `bad-input`: not an image, such as one with too many passkeys. */
export async function toEnvelope(image: VaultImage): Promise<Envelope> {
  const { data } = imageSchema().safeParse(image);
  if (!data) throw new VaultError('bad-input', 'the vault cannot hold this change');
  const text = JSON.stringify(data);
  return { sha256: await sha256Hex(text), text };
}

/**
 * Reads a stored image, lifting an older version step by step.
 * @throws {VaultError} `corrupt`; `unsupported-version` for a version without a way to the current
 *   one.
 */
export async function fromEnvelope(value: unknown, steps: Steps = migrations): Promise<VaultImage> {
  const envelope = envelopeSchema().safeParse(value);
  if (!envelope.success || (await sha256Hex(envelope.data.text)) !== envelope.data.sha256) {
    throw new VaultError('corrupt', 'the stored vault does not match its checksum');
  }
  const head = z
    .looseObject({ format: z.literal('countersign-vault'), version: z.int() })
    .safeParse(parseJson(envelope.data.text));
  if (!head.success) throw new VaultError('corrupt', 'the stored data is no vault');
  const image = lifted(head.data, imageVersion, steps) as { readonly version: number };
  if (image.version !== imageVersion)
    throw new VaultError('unsupported-version', `vault version ${image.version} cannot be read by this program`);
  const parsed = imageSchema().safeParse(image);
  if (parsed.success) return parsed.data;
  throw new VaultError(
    'corrupt',
    `the stored vault is damaged at ${parsed.error.issues[0]?.path.map(String).join('.')}`,
  );
}
