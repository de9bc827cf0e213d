import { describe, expect, test, vi } from 'vitest';
import { openKeyFile, sealKeyFile } from '../../src/vault/index.ts';

const cost = { memoryKiB: 19 * 1024, passes: 2, parallelism: 1 };
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const about = {
  exchange: '0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4',
  chainId: 31337,
  accountId: 10005,
  owner: '0x1111111111111111111111111111111111111111',
  publicKey: { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` },
};
const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
/** As an earlier version wrote it. */
const kept = {
  ...{ format: 'countersign-key', version: 1, about },
  kdf: { name: 'argon2id', memoryKiB: 19_456, passes: 2, parallelism: 1, salt: 'qOiosgPUWKAuzZ69Fay17A==' },
  sealed: {
    nonce: 'rpg67tNiQ802fyLm',
    data: '75WocQYD8qaUMPc3ZEHyY8Uisb0sE/yPdOGZeiYY3XU9ULmXnHMjenIuYJJHf7uM',
  },
};
const file = JSON.stringify(kept);

test('a key file opens with its password, and the key given to it is left as it was', async () => {
  const own = await sealKeyFile(key, about, 'a password', random, cost);
  expect(JSON.parse(own).kdf).toMatchObject({ name: 'argon2id', ...cost });
  const opened = await openKeyFile(own, 'a password');
  expect([...opened.secretKey]).toEqual([...key]);
  expect(opened.about).toEqual(about);
  expect(key[0]).toBe(1);
});

test('the key stands in the file neither as hex nor as base64', async () => {
  const own = await sealKeyFile(key, about, 'a password', random, cost);
  for (const form of [Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64')])
    expect(own).not.toContain(form);
});

test('a file of an earlier version opens', async () => {
  expect([...(await openKeyFile(file, 'a password')).secretKey]).toEqual([...key]);
});

test('the copy of the key that is sealed is wiped', async () => {
  const encrypt = vi.spyOn(crypto.subtle, 'encrypt');
  try {
    await sealKeyFile(key, about, 'a password', random, cost);
    const [, , plain] = encrypt.mock.calls[0] ?? [];
    expect(plain).toEqual(new Uint8Array(32));
  } finally {
    encrypt.mockRestore();
  }
});

test('another password opens nothing', async () => {
  await expect(openKeyFile(file, 'another')).rejects.toMatchObject({
    code: 'wrong-password',
    message: 'vault: wrong-password',
  });
});

test.each([
  { exchange: '0x1111111111111111111111111111111111111111' },
  { chainId: 1 },
  { accountId: 10006 },
  { owner: '0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4' },
  { publicKey: { ...about.publicKey, x: about.publicKey.y } },
  { publicKey: { ...about.publicKey, y: about.publicKey.x } },
])('facts that were changed open nothing: %j', async (changed) => {
  const other = JSON.stringify({ ...JSON.parse(file), about: { ...about, ...changed } });
  await expect(openKeyFile(other, 'a password')).rejects.toMatchObject({ code: 'wrong-password' });
});

describe('a file that is not of the form is refused before any password is tried', () => {
  const longest = 'x'.repeat(100);
  const reads = { ...about, exchange: longest, owner: longest, publicKey: { x: longest, y: longest } };
  const read = (changes: object, padding = '') =>
    openKeyFile(padding + JSON.stringify({ ...kept, ...changes }), 'a password').catch(({ code }) => code);

  test('and one at the bounds is read', async () => {
    expect(await read({ about: { ...reads, chainId: 0, accountId: 0 } })).toBe('wrong-password');
    const { length } = JSON.stringify(kept);
    expect(await read({}, ' '.repeat(10_000 - length))).toHaveProperty('about', about);
    expect(await read({}, ' '.repeat(10_001 - length))).toBe('bad-file');
  });

  test.each([
    { format: 'countersign-vault' },
    { version: 2 },
    { more: 1 },
    { about: { ...about, more: 1 } },
    { about: { ...about, exchange: `${longest}x` } },
    { about: { ...about, owner: `${longest}x` } },
    { about: { ...about, publicKey: { ...about.publicKey, x: `${longest}x` } } },
    { about: { ...about, publicKey: { ...about.publicKey, y: `${longest}x` } } },
    { about: { ...about, publicKey: { ...about.publicKey, z: 'x' } } },
    { about: { ...about, chainId: -1 } },
    { about: { ...about, accountId: -1 } },
    { kdf: { ...kept.kdf, more: 1 } },
    { sealed: { ...kept.sealed, more: 1 } },
  ])('%j', async (changes) => {
    expect(await read(changes)).toBe('bad-file');
  });
});

test('what is no key file is refused without quoting it', async () => {
  for (const text of ['', '{}', 'secret words', JSON.stringify({ format: 'countersign-vault' }), 'x'.repeat(20_000)]) {
    const error = await openKeyFile(text, 'a password').catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: 'bad-file', message: 'vault: bad-file' });
  }
});

test('a cost out of bounds is refused before any work', async () => {
  const parsed = JSON.parse(file);
  const cheap = JSON.stringify({ ...parsed, kdf: { ...parsed.kdf, memoryKiB: 8 } });
  await expect(openKeyFile(cheap, 'a password')).rejects.toMatchObject({ code: 'kdf-bounds' });
});
