import { reportedAs } from '../report/report.ts';
import { type Bytes, fromBase64, toBase64, utf8 } from './encoding.ts';
import { VaultError } from './errors.ts';
import type { KeyPairWrap, Owner, PasskeyWrap, PasswordWrap, Wrap } from './image.ts';
import { kdfData } from './kdf.ts';
import { type AssociatedData, importDataKey, open, seal } from './seal.ts';

type Random = (length: number) => Bytes;
/** Fields that say whose key pair it is; bound to everything that is sealed with it. */
type Head = Pick<PasswordWrap, 'method' | 'kdf'> | Pick<PasskeyWrap, 'method' | 'credentialId' | 'prfSalt'>;

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const NOTHING = new Uint8Array(0);

const headOf = (head: Head): AssociatedData =>
  head.method === 'password' ? ['password', ...kdfData(head.kdf)] : ['passkey', head.credentialId, head.prfSalt];

/** What a data key is bound to that is sealed directly, as earlier wraps hold it. */
export const directData = (vaultId: string, head: Head): AssociatedData => [
  'countersign-vault/data-key',
  1,
  vaultId,
  ...headOf(head),
];

const privateKeyData = (vaultId: string, head: Head, publicKey: string): AssociatedData => [
  'countersign-vault/wrap-private-key',
  2,
  vaultId,
  ...headOf(head),
  publicKey,
];

const voucherData = ({ vaultId, keyId }: Owner, head: Head, publicKey: string): AssociatedData => [
  'countersign-vault/wrap',
  2,
  vaultId,
  keyId,
  ...headOf(head),
  publicKey,
];

const dataKeyData = ({ vaultId, keyId }: Owner, publicKey: string, ephemeral: string): AssociatedData => [
  'countersign-vault/data-key',
  2,
  vaultId,
  keyId,
  publicKey,
  ephemeral,
];

/** AES key of one encryption to a public key: ECDH, then HKDF-SHA-256 over both public keys. */
async function sharedKey(own: CryptoKey, other: string, publicKey: string, ephemeral: string): Promise<CryptoKey> {
  const theirs = await crypto.subtle.importKey('raw', fromBase64(other), CURVE, false, []);
  const bits = new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, own, 256));
  try {
    const secret = await crypto.subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey']);
    return await crypto.subtle.deriveKey(
      {
        name: 'HKDF',
        hash: 'SHA-256',
        salt: NOTHING,
        info: utf8(`countersign-vault/wrap ${publicKey} ${ephemeral}`),
      },
      secret,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt', 'decrypt'],
    );
  } finally {
    bits.fill(0);
  }
}

const exportPublic = async ({ publicKey }: CryptoKeyPair): Promise<string> =>
  toBase64(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));

async function encryptTo(
  head: Head,
  pair: Pick<KeyPairWrap, 'publicKey' | 'privateKey'>,
  owner: Owner,
  dataKey: Bytes,
  randomBytes: Random,
): Promise<KeyPairWrap> {
  const { publicKey, privateKey } = pair;
  const once = await crypto.subtle.generateKey(CURVE, false, ['deriveBits']);
  const ephemeral = await exportPublic(once);
  const key = await sharedKey(once.privateKey, publicKey, publicKey, ephemeral);
  const sealed = await seal(key, dataKey, dataKeyData(owner, publicKey, ephemeral), randomBytes);
  const voucher = await seal(await importDataKey(dataKey), NOTHING, voucherData(owner, head, publicKey), randomBytes);
  return { sealVersion: 2, publicKey, privateKey, dataKey: { ephemeral, sealed }, voucher };
}

/**
 * A new way to the data key. It holds a key pair, so that the data key can be renewed while nobody
 * is there to say the password or to touch the passkey.
 * @param opening - Key-encryption key of the password or the passkey.
 */
export async function newWrap(
  opening: CryptoKey,
  head: Head,
  owner: Owner,
  dataKey: Bytes,
  randomBytes: Random,
): Promise<KeyPairWrap> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ['deriveBits']);
  const publicKey = await exportPublic(pair);
  const plain = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey));
  try {
    const privateKey = await seal(opening, plain, privateKeyData(owner.vaultId, head, publicKey), randomBytes);
    return await encryptTo(head, { publicKey, privateKey }, owner, dataKey, randomBytes);
  } finally {
    plain.fill(0);
  }
}

/**
 * @returns The raw data key, which the caller wipes; undefined when `opening` does not open this
 *   wrap, and for a damaged passkey's, beside which the password may open the vault.
 * @throws {VaultError} `corrupt`: the password is right, and what it opens is damaged.
 */
export async function openWrap(opening: CryptoKey, head: Head & KeyPairWrap, owner: Owner): Promise<Bytes | undefined> {
  const { publicKey, privateKey, dataKey } = head;
  const plain = await open(opening, privateKey, privateKeyData(owner.vaultId, head, publicKey));
  if (!plain) return undefined;
  try {
    const own = await crypto.subtle.importKey('pkcs8', plain, CURVE, false, ['deriveBits']);
    const key = await sharedKey(own, dataKey.ephemeral, publicKey, dataKey.ephemeral).catch(
      reportedAs('vault: the key of the data key', undefined),
    );
    const opened = key && (await open(key, dataKey.sealed, dataKeyData(owner, publicKey, dataKey.ephemeral)));
    if (opened || head.method === 'passkey') return opened;
    throw new VaultError('corrupt', 'the way to the data key by the password is damaged');
  } finally {
    plain.fill(0);
  }
}

/**
 * The same way to another data key. The public key is believed only when the present data key
 * vouches for it: whoever can write to the disk could otherwise put their own there and be given
 * the next data key.
 * @returns Undefined when it does not vouch.
 */
export async function rewrap<T extends Head & KeyPairWrap>(
  wrap: T,
  before: Owner & { readonly dataKey: Bytes },
  after: Owner & { readonly dataKey: Bytes },
  randomBytes: Random,
): Promise<T | undefined> {
  const key = await importDataKey(before.dataKey);
  if (!(await open(key, wrap.voucher, voucherData(before, wrap, wrap.publicKey)))) return undefined;
  return { ...wrap, ...(await encryptTo(wrap, wrap, after, after.dataKey, randomBytes)) };
}

/** Earlier wraps hold the data key itself, sealed under what opens them. */
export const isKeyPairWrap = <T extends Wrap>(wrap: T): wrap is Extract<T, { sealVersion: 2 }> =>
  wrap.sealVersion === 2;
