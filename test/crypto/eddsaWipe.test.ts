import { expect, test, vi } from 'vitest';
import { createSigner, secretNonce } from '../../src/crypto/eddsa.ts';
import { getPublicKey, verify } from '../../src/crypto/index.ts';

/** What went into SHA-512 and what came out of it, as the very arrays. */
const hashed = vi.hoisted(() => [] as { input: Uint8Array; digest: Uint8Array; was: number }[]);
vi.mock('@noble/hashes/sha2.js', async (original) => {
  const real = await original<typeof import('@noble/hashes/sha2.js')>();
  const sha512 = (input: Uint8Array) => {
    const digest = real.sha512(input);
    hashed.push({ input, digest, was: digest.filter((byte) => byte !== 0).length });
    return digest;
  };
  return { ...real, sha512 };
});

test('neither the key that a nonce is made from nor its digest is left in memory', () => {
  const secretKey = Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? 0 : index + 1));
  secretNonce(secretKey, 5n);
  const signature = createSigner(secretKey).sign(7n);
  expect(verify(signature, 7n, getPublicKey(secretKey))).toBe(true);
  expect(hashed.length).toBeGreaterThanOrEqual(2);
  for (const { input, digest, was } of hashed) {
    expect(was).toBeGreaterThan(32);
    expect(input).toEqual(new Uint8Array(64));
    expect(digest).toEqual(new Uint8Array(64));
  }
});
