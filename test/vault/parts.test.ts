import { describe, expect, it, vi } from 'vitest';
import { attachedAssociatedData, backupText, parseBackup } from '../../src/vault/backup.ts';
import { fromBase64, sha256Hex, toBase64, utf8 } from '../../src/vault/encoding.ts';
import { VaultError } from '../../src/vault/errors.ts';
import { holdsVault } from '../../src/vault/imagePlaces.ts';
import { checkKdfCost, defaultKdfCost, deriveKey, type KdfHeader, kdfBounds, kdfSchema } from '../../src/vault/kdf.ts';
import { passkeyKey } from '../../src/vault/passkey.ts';
import { createFaultyArea } from '../support/faultyArea.ts';

/** What the derivation was given and gave; it fails when it is to. */
const derivation: { given?: Uint8Array; gave?: Uint8Array; fails: boolean } = { fails: false };
vi.mock('hash-wasm', async (importOriginal) => {
  const library = await importOriginal<typeof import('hash-wasm')>();
  const argon2id = async (options: Parameters<typeof library.argon2id>[0]) => {
    derivation.given = options.password as Uint8Array;
    if (derivation.fails) throw new Error('no memory');
    const gave = (await library.argon2id(options)) as unknown as Uint8Array;
    derivation.gave = gave;
    return gave;
  };
  return { ...library, argon2id };
});

const nonce = new Uint8Array(12);
/** What a key makes of a text: equal for equal keys. */
const markOf = async (key: CryptoKey) =>
  toBase64(new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, utf8('text'))));

describe('bytes as text', () => {
  it('come back whole', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    expect(toBase64(new Uint8Array())).toBe('');
  });

  it('are hashed as UTF-8, with the leading zeros of each byte', async () => {
    expect(await sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect([...utf8('é')]).toEqual([0xc3, 0xa9]);
  });
});

describe('a backup file', () => {
  const vault = { sha256: 'a'.repeat(64), text: '{}' };
  const attached = { nonce: toBase64(nonce), data: toBase64(new Uint8Array(16)) };
  const text = backupText(vault, attached);

  it('gives back what was written into it, and the bare vault of earlier versions', () => {
    expect(parseBackup(text)).toMatchObject({ vault, attached });
    expect(parseBackup(JSON.stringify(vault))).toEqual({ vault, attached: null });
    expect(attachedAssociatedData('id')).toEqual(['countersign-backup/attached', 1, 'id']);
  });

  it('of a later version is told from what is none', () => {
    const as = (changes: object) => () => parseBackup(JSON.stringify({ ...JSON.parse(text), ...changes }));
    expect(as({ version: 2 })).toThrow('backup version 2 cannot be read by this program');
    expect(as({ version: 2 })).toThrow(expect.objectContaining({ code: 'unsupported-version' }));
    for (const changes of [
      { version: 0 },
      { version: 2, format: 'other' },
      { vault: {} },
      { attached: {} },
      { more: 1 },
    ])
      expect(as(changes), JSON.stringify(changes)).toThrow(
        expect.objectContaining({ code: 'corrupt', message: 'the file is no vault backup' }),
      );
  });

  it('is not quoted when it is no JSON', () => {
    for (const none of ['secret words', ''])
      expect(() => parseBackup(none)).toThrow(expect.objectContaining({ message: 'the file is no vault backup' }));
  });
});

describe('whether there is a vault', () => {
  const areas = () => [createFaultyArea().area, createFaultyArea().area] as const;
  const shut = new Error('the store does not open');
  const broken = { ...createFaultyArea().area, get: () => Promise.reject(shut) };

  it.each(['vault:current', 'vault:a', 'vault:b'])('anything under %s in either store says so', async (key) => {
    for (const place of [0, 1] as const) {
      const both = areas();
      expect(await holdsVault(...both)).toBe(false);
      await both[place].set({ [key]: 'unreadable' });
      expect(await holdsVault(...both)).toBe(true);
    }
  });

  it('is not known while a store does not answer and the other has none', async () => {
    const [area] = areas();
    await expect(holdsVault(broken, area)).rejects.toBe(shut);
    await expect(holdsVault(area, broken)).rejects.toBe(shut);
    await area.set({ 'vault:a': 1 });
    expect(await holdsVault(broken, area)).toBe(true);
    expect(await holdsVault(area, broken)).toBe(true);
  });
});

describe('the key of a passkey', () => {
  const prf = new Uint8Array(32).fill(7);

  it('depends on what the passkey computed and on the vault, and cannot be read', async () => {
    const key = await passkeyKey(prf, 'vault');
    expect(await markOf(key)).toBe(await markOf(await passkeyKey(prf.slice(), 'vault')));
    expect(await markOf(key)).not.toBe(await markOf(await passkeyKey(prf, 'other')));
    expect(await markOf(key)).not.toBe(await markOf(await passkeyKey(new Uint8Array(32).fill(8), 'vault')));
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  });

  // HKDF-SHA-256 by node:crypto over the same bytes: a change would close every vault that a
  // passkey opens.
  it('is the one that vaults were sealed with', async () => {
    const { hkdfSync, createCipheriv } = await import('node:crypto');
    const raw = Buffer.from(hkdfSync('sha256', prf, 'vault', 'countersign-vault/passkey', 32));
    const cipher = createCipheriv('aes-256-gcm', raw, nonce);
    const sealed = Buffer.concat([cipher.update('text'), cipher.final(), cipher.getAuthTag()]);
    const key = await passkeyKey(prf, 'vault');
    expect(await markOf(key)).toBe(sealed.toString('base64'));
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, key, sealed);
    expect(Buffer.from(opened).toString()).toBe('text');
  });

  it.each([0, 31, 33])('is not made of %i bytes', async (length) => {
    await expect(passkeyKey(new Uint8Array(length), 'vault')).rejects.toMatchObject({
      code: 'bad-input',
      message: 'a passkey gives 32 bytes',
    });
  });
});

describe('the key of a password', () => {
  const header: KdfHeader = {
    name: 'argon2id',
    memoryKiB: 19 * 1024,
    passes: 2,
    parallelism: 1,
    salt: toBase64(new Uint8Array(16).fill(1)),
  };

  it('is refused outside of the bounds of its cost, each named', () => {
    for (const name of ['memoryKiB', 'passes', 'parallelism'] as const) {
      const [least, most] = kdfBounds[name];
      for (const good of [least, most]) expect(() => checkKdfCost({ ...header, [name]: good })).not.toThrow();
      for (const bad of [least - 1, most + 1, least + 0.5, Number.NaN])
        expect(() => checkKdfCost({ ...header, [name]: bad })).toThrow(
          expect.objectContaining({
            code: 'kdf-bounds',
            message: `key derivation: ${name} must be ${least} to ${most}, not ${bad}`,
          }),
        );
    }
    expect(kdfBounds).toEqual({ memoryKiB: [19_456, 1_048_576], passes: [2, 10], parallelism: [1, 4] });
  });

  it('has a header with each of its parts, and no other', () => {
    const isHeader = (changes: object) => kdfSchema().safeParse({ ...header, ...changes }).success;
    expect(isHeader({})).toBe(true);
    for (const changes of [
      { name: 'scrypt' },
      { memoryKiB: 1.5 },
      { passes: '2' },
      { parallelism: undefined },
      { salt: toBase64(new Uint8Array(15)) },
      { salt: toBase64(new Uint8Array(19)) },
      { salt: '*'.repeat(24) },
      { more: 1 },
    ])
      expect(isHeader(changes), JSON.stringify(changes)).toBe(false);
  });

  it('is the same however the characters were typed, and depends on password, salt and cost', async () => {
    const mark = async (password: string, changes: object = {}) =>
      markOf(await deriveKey(password, { ...header, ...changes }));
    const key = await mark('Caf\u00e9');
    expect(await mark('Cafe\u0301')).toBe(key);
    expect(await mark('caf\u00e9')).not.toBe(key);
    expect(await mark('Caf\u00e9', { passes: 3 })).not.toBe(key);
    expect(await mark('Caf\u00e9', { salt: toBase64(new Uint8Array(16)) })).not.toBe(key);
    await expect(crypto.subtle.exportKey('raw', await deriveKey('a', header))).rejects.toThrow();
  });

  it('leaves neither the password nor its bytes in memory, and says why it could not be made', async () => {
    await deriveKey('password', header);
    expect(derivation.given).toEqual(new Uint8Array(8));
    expect(derivation.gave).toEqual(new Uint8Array(32));
    derivation.fails = true;
    await expect(deriveKey('password', header)).rejects.toThrow('no memory');
    derivation.fails = false;
    expect(derivation.given).toEqual(new Uint8Array(8));
  });

  it('costs 64 MiB and three passes where nothing else is said', () => {
    expect(defaultKdfCost).toEqual({ memoryKiB: 65_536, passes: 3, parallelism: 1 });
  });

  it('needs a password, and a cost within the bounds before any work', async () => {
    await expect(deriveKey('', header)).rejects.toMatchObject({ code: 'bad-input', message: 'the password is empty' });
    await expect(deriveKey('a', { ...header, passes: 1 })).rejects.toMatchObject({ code: 'kdf-bounds' });
  });

  it('is the one that vaults were sealed with', async () => {
    const { argon2id } = await import('hash-wasm');
    const raw = await argon2id({
      password: utf8('Caf\u00e9'),
      salt: new Uint8Array(16).fill(1),
      memorySize: 19_456,
      iterations: 2,
      parallelism: 1,
      hashLength: 32,
      outputType: 'binary',
    });
    const same = await crypto.subtle.importKey('raw', new Uint8Array(raw), 'AES-GCM', false, ['encrypt']);
    const key = await deriveKey('Caf\u00e9', header);
    expect(await markOf(key)).toBe(await markOf(same));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, utf8('text'));
    expect(Buffer.from(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, key, sealed)).toString()).toBe(
      'text',
    );
  });
});

describe('an error of the vault', () => {
  it('has a name and a code, and a cause where there is one', () => {
    const cause = new Error('the disk');
    expect(new VaultError('storage', 'no', { cause })).toMatchObject({
      ...{ name: 'VaultError', code: 'storage', message: 'no', cause },
    });
    for (const options of [undefined, {}, { cause: undefined }, { cause: null }])
      expect(Object.hasOwn(new VaultError('locked', 'no', options), 'cause')).toBe(false);
  });
});
