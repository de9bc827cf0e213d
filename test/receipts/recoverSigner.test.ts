import { hexToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { isTextSignature, ownerSignature } from '../../src/receipts/recoverSigner.ts';
import { signBytes, withV } from '../support/otherWallet.ts';
import vectors from '../vectors/key-derivation.json' with { type: 'json' };

test('recovers the signer of every key-derivation vector', async () => {
  for (const { keySeed, personalSignature, address } of vectors.vectors)
    expect(await isTextSignature(keySeed, hexToBytes(personalSignature as `0x${string}`), address)).toBe(true);
});

test('knows a signature by any last byte, and nothing but 65 bytes', async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  const text = await account.signMessage({ message: 'text' });
  const signature = hexToBytes(text);
  const withLast = (v: number) => hexToBytes(withV(text, v));
  const bit = (signature[64] as number) - 27;
  for (const v of [bit, bit + 27, 2, 37, 38, 255])
    expect(await isTextSignature('text', withLast(v), address)).toBe(true);
  // The usual forms name the one bit, so the other one is another address.
  for (const v of [1 - bit, 28 - bit]) expect(await isTextSignature('text', withLast(v), address)).toBe(false);
  expect(await isTextSignature('other text', signature, address)).toBe(false);
  expect(await isTextSignature('text', signature.subarray(0, 64), address)).toBe(false);
  expect(await isTextSignature('text', new Uint8Array(65), address)).toBe(false);
});

test("the owner's signature over a digest comes out with v of 27 or 28, also when it was made as personal_sign", async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const digest = `0x${'5c'.repeat(32)}` as const;
  const plain = await account.sign({ hash: digest });
  const personal = await signBytes(account, digest);
  for (const signature of [plain, personal]) {
    const bit = Number.parseInt(signature.slice(130), 16) - 27;
    for (const v of [bit, bit + 27, 38])
      expect(await ownerSignature(digest, withV(signature, v), account.address)).toBe(signature);
    expect(await ownerSignature(digest, signature, stranger.address)).toBeNull();
    expect(await ownerSignature(`0x${'5d'.repeat(32)}`, signature, account.address)).toBeNull();
  }
  const noHex = [`0x${'zz'.repeat(65)}`, plain.replace('0x', '1x')];
  for (const wrong of ['0x', plain.slice(0, -2), `${plain}00`, plain.replace('0x', ''), ...noHex])
    expect(await ownerSignature(digest, wrong, account.address)).toBeNull();
});

test('comes out with the lower s, which alone contracts and relayers take', async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  for (const byte of ['11', '22', '33', '44', '55', '66']) {
    const digest = `0x${byte.repeat(32)}` as const;
    const plain = await account.sign({ hash: digest });
    const s = (order - BigInt(`0x${plain.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const high = `${plain.slice(0, 66)}${s}${plain.endsWith('1b') ? '1c' : '1b'}`;
    expect(await ownerSignature(digest, high, account.address)).toBe(plain);
    expect(await ownerSignature(digest, withV(high as `0x${string}`, 38), account.address)).toBe(plain);
  }
});

const stranger = privateKeyToAccount(generatePrivateKey());
