import { expect, test } from 'vitest';
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
const file = await sealKeyFile(key, about, 'a password', random, cost);

test('a key file opens with its password, and the key given to it is left as it was', async () => {
  const opened = await openKeyFile(file, 'a password');
  expect([...opened.secretKey]).toEqual([...key]);
  expect(opened.about).toEqual(about);
  expect(key[0]).toBe(1);
});

test('no byte of the key stands in the file', () => {
  for (const form of [Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64')])
    expect(file).not.toContain(form);
});

test('another password opens nothing', async () => {
  await expect(openKeyFile(file, 'another')).rejects.toMatchObject({ code: 'wrong-password' });
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

test('what is no key file is refused without quoting it', async () => {
  for (const text of ['', '{}', 'secret words', JSON.stringify({ format: 'countersign-vault' }), 'x'.repeat(20_000)]) {
    const error = await openKeyFile(text, 'a password').catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: 'corrupt', message: 'the file is no key backup' });
  }
});

test('a cost out of bounds is refused before any work', async () => {
  const parsed = JSON.parse(file);
  const cheap = JSON.stringify({ ...parsed, kdf: { ...parsed.kdf, memoryKiB: 8 } });
  await expect(openKeyFile(cheap, 'a password')).rejects.toMatchObject({ code: 'kdf-bounds' });
});
