import { hexToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { recoverSigner } from '../../src/background/recoverSigner.ts';
import vectors from '../vectors/key-derivation.json' with { type: 'json' };

test('recovers the signer of every key-derivation vector', () => {
  for (const { keySeed, personalSignature, address } of vectors.vectors)
    expect(recoverSigner(keySeed, hexToBytes(personalSignature as `0x${string}`))).toBe(address.toLowerCase());
});

test('accepts v as 0 or 1, and nothing but 65 bytes with a known v', async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const signature = hexToBytes(await account.signMessage({ message: 'text' }));
  const owner = account.address.toLowerCase();
  const withV = (v: number) => Uint8Array.from(signature, (byte, index) => (index === 64 ? v : byte));
  expect(recoverSigner('text', withV((signature[64] as number) - 27))).toBe(owner);
  expect(recoverSigner('other text', signature)).not.toBe(owner);
  expect(recoverSigner('text', withV(2))).toBeNull();
  expect(recoverSigner('text', signature.subarray(0, 64))).toBeNull();
  expect(recoverSigner('text', new Uint8Array(65))).toBeNull();
});
