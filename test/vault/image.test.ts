import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/vault/encoding.ts';
import {
  fromEnvelope,
  passkeysOf,
  passwordOf,
  recordAssociatedData,
  secretKinds,
  toEnvelope,
  type VaultImage,
} from '../../src/vault/image.ts';
import { directData } from '../../src/vault/wrap.ts';

const bytes = (length: number) => Buffer.alloc(length, 1).toString('base64');
const sealed = { nonce: bytes(12), data: bytes(32) };
const kdf = { name: 'argon2id' as const, memoryKiB: 19_456, passes: 2, parallelism: 1, salt: bytes(16) };
const pair = {
  sealVersion: 2 as const,
  publicKey: bytes(65),
  privateKey: sealed,
  dataKey: { ephemeral: bytes(65), sealed },
  voucher: sealed,
};
const direct = { sealVersion: 1 as const, sealed };
const password = { method: 'password' as const, kdf };
const passkey = { method: 'passkey' as const, credentialId: 'cGFzc2tleQ', prfSalt: bytes(32), createdAt: 5 };
const record = { id: 'one', account: 'mine', kind: 'l1-key' as const, createdAt: 5, sealVersion: 1 as const, sealed };
const image: VaultImage = {
  ...{ format: 'countersign-vault', version: 3, vaultId: '0123456789abcdef'.repeat(2), keyId: 'f'.repeat(32) },
  ...{
    generation: 1,
    wraps: [
      { ...password, ...pair },
      { ...passkey, ...pair },
    ],
    records: [record],
  },
};

const envelopeOf = async (text: string) => ({ sha256: await sha256Hex(text), text });
const reads = async (changes: object) => fromEnvelope(await envelopeOf(JSON.stringify({ ...image, ...changes })));
const damage = (at: string) => ({
  ...{ name: 'VaultError', code: 'corrupt', message: `the stored vault is damaged at ${at}` },
});
const longest = 'x'.repeat(256);

describe('a stored image', () => {
  it('comes back whole, and is the text that its checksum is of', async () => {
    const envelope = await toEnvelope(image);
    expect(await fromEnvelope(envelope)).toEqual(image);
    expect(envelope.sha256).toBe(await sha256Hex(envelope.text));
  });

  it('is not written when it could not be read', async () => {
    const [own, other] = image.wraps;
    const tooMany = { wraps: [own, ...Array(20).fill(other)] };
    for (const changes of [{ generation: 0 }, { more: 1 }, tooMany])
      await expect(toEnvelope({ ...image, ...changes } as VaultImage)).rejects.toMatchObject({ code: 'bad-input' });
  });

  it.each([
    { records: [] },
    { generation: 1_000_000 },
    { records: secretKinds.map((kind) => ({ ...record, kind })) },
    { records: [{ ...record, id: longest, account: longest, createdAt: 0.5 }] },
    { records: [{ ...record, id: 'x', account: 'x' }] },
    { wraps: [{ ...password, ...direct }] },
    { wraps: [{ ...password, ...pair }, ...Array(19).fill({ ...passkey, ...direct })] },
    {
      wraps: [
        { ...passkey, ...pair, credentialId: 'A'.repeat(1_364) },
        { ...password, ...pair },
      ],
    },
  ])('is read within its bounds: %#', async (changes) => {
    expect(await reads(changes)).toMatchObject(changes);
  });

  const inPassword = (changes: object) => ({ wraps: [{ ...password, ...pair, ...changes }] });
  const inPasskey = (changes: object) => ({ wraps: [image.wraps[0], { ...passkey, ...pair, ...changes }] });
  const inRecord = (changes: object) => ({ records: [{ ...record, ...changes }] });

  it.each<[string, object]>([
    ['vaultId', { vaultId: 'f'.repeat(31) }],
    ['vaultId', { vaultId: 'f'.repeat(33) }],
    ['vaultId', { vaultId: 'F'.repeat(32) }],
    ['keyId', { keyId: 'f'.repeat(31) }],
    ['keyId', { keyId: 'f'.repeat(33) }],
    ['keyId', { keyId: `${'f'.repeat(32)}\n` }],
    ['keyId', { keyId: 'g'.repeat(32) }],
    ['generation', { generation: 0 }],
    ['generation', { generation: 1.5 }],
    ['', { more: 1 }],
    ['wraps', { wraps: [] }],
    ['wraps', { wraps: [image.wraps[1]] }],
    ['wraps', { wraps: [image.wraps[0], image.wraps[0]] }],
    ['wraps', { wraps: [image.wraps[0], ...Array(20).fill(image.wraps[1])] }],
    ['wraps.0.method', inPassword({ method: 'word' })],
    ['wraps.0.kdf.name', inPassword({ kdf: { ...kdf, name: 'scrypt' } })],
    ['wraps.0', inPassword({ more: 1 })],
    ['wraps.0', inPassword({ sealed })],
    ['wraps.0.sealVersion', inPassword({ sealVersion: 3 })],
    ['wraps.0.publicKey', inPassword({ publicKey: bytes(63) })],
    ['wraps.0.publicKey', inPassword({ publicKey: bytes(67) })],
    ['wraps.0.publicKey', inPassword({ publicKey: '*'.repeat(88) })],
    ['wraps.0.privateKey.nonce', inPassword({ privateKey: { ...sealed, nonce: bytes(9) } })],
    ['wraps.0.voucher', inPassword({ voucher: undefined })],
    ['wraps.0.dataKey.ephemeral', inPassword({ dataKey: { ephemeral: bytes(60), sealed } })],
    ['wraps.0.dataKey.sealed', inPassword({ dataKey: { ephemeral: bytes(65) } })],
    ['wraps.0.dataKey', inPassword({ dataKey: { ephemeral: bytes(65), sealed, more: 1 } })],
    ['wraps.0', { wraps: [{ ...password, ...direct, more: 1 }] }],
    ['wraps.0.sealed', { wraps: [{ ...password, sealVersion: 1 }] }],
    ['wraps.1.credentialId', inPasskey({ credentialId: '' })],
    ['wraps.1.credentialId', inPasskey({ credentialId: 'A'.repeat(1_366) })],
    ['wraps.1.credentialId', inPasskey({ credentialId: 'a+b/' })],
    ['wraps.1.prfSalt', inPasskey({ prfSalt: bytes(30) })],
    ['wraps.1.prfSalt', inPasskey({ prfSalt: bytes(34) })],
    ['wraps.1.createdAt', inPasskey({ createdAt: '5' })],
    ['wraps.1', inPasskey({ more: 1 })],
    ['wraps.1', { wraps: [image.wraps[0], { ...passkey, ...direct, more: 1 }] }],
    ['records.0.id', inRecord({ id: '' })],
    ['records.0.id', inRecord({ id: `${longest}x` })],
    ['records.0.account', inRecord({ account: '' })],
    ['records.0.account', inRecord({ account: `${longest}x` })],
    ['records.0.kind', inRecord({ kind: 'note' })],
    ['records.0.createdAt', inRecord({ createdAt: null })],
    ['records.0.sealVersion', inRecord({ sealVersion: 2 })],
    ['records.0.sealed.nonce', inRecord({ sealed: {} })],
    ['records.0', inRecord({ more: 1 })],
  ])('is damaged beyond them, and the place is named: %s (%#)', async (at, changes) => {
    await expect(reads(changes)).rejects.toMatchObject(damage(at));
  });
});

describe('what is no stored image', () => {
  const NO_SUM = { code: 'corrupt', message: 'the stored vault does not match its checksum' };
  const NO_VAULT = { code: 'corrupt', message: 'the stored data is no vault' };

  it('is refused by its checksum, before it is parsed', async () => {
    const envelope = await toEnvelope(image);
    for (const value of [
      undefined,
      {},
      { ...envelope, more: 1 },
      { ...envelope, text: `${envelope.text} ` },
      { ...envelope, sha256: '0'.repeat(64) },
      { ...envelope, sha256: `${envelope.sha256}0` },
      await envelopeOf('1'),
    ])
      await expect(fromEnvelope(value)).rejects.toMatchObject(NO_SUM);
  });

  it('is refused by its head', async () => {
    for (const text of ['no json', '[]', JSON.stringify({ ...image, version: '3' })])
      await expect(fromEnvelope(await envelopeOf(text))).rejects.toMatchObject(NO_VAULT);
    for (const changes of [{ format: 'other' }, { version: 2.5 }])
      await expect(reads(changes)).rejects.toMatchObject(NO_VAULT);
  });

  it('is told from one of a version that cannot be read', async () => {
    for (const version of [0, 4])
      await expect(reads({ version })).rejects.toMatchObject({
        code: 'unsupported-version',
        message: `vault version ${version} cannot be read by this program`,
      });
  });
});

it('an earlier version is lifted; its data key has the name of the vault', async () => {
  const { keyId: _, ...earlier } = { ...image, wraps: [{ ...password, ...direct }] };
  for (const version of [1, 2]) {
    const text = JSON.stringify({ ...earlier, version });
    expect(await fromEnvelope(await envelopeOf(text))).toEqual({ ...earlier, version: 3, keyId: image.vaultId });
  }
});

describe('what a seal is bound to', () => {
  // Another list would open nothing that was sealed before.
  it('is its whole place', () => {
    expect(recordAssociatedData('vault', record)).toEqual([
      'countersign-vault/record',
      1,
      'vault',
      'one',
      'mine',
      'l1-key',
    ]);
    expect(directData('vault', password)).toEqual([
      ...['countersign-vault/data-key', 1, 'vault', 'password', 'argon2id', 19_456, 2, 1, bytes(16)],
    ]);
    expect(directData('vault', passkey)).toEqual([
      ...['countersign-vault/data-key', 1, 'vault', 'passkey', 'cGFzc2tleQ', bytes(32)],
    ]);
  });
});

it('the ways to the data key are told apart', () => {
  expect(passwordOf({ ...image, wraps: image.wraps.toReversed() })).toBe(image.wraps[0]);
  expect(passkeysOf(image)).toEqual([image.wraps[1]]);
});
