import { describe, expect, it } from 'vitest';
import { secretNonce } from '../../../src/crypto/eddsa.ts';
import { CryptoError, SUBGROUP_ORDER } from '../../../src/crypto/index.ts';
import { contains, limbs } from '../../support/memorySearch.ts';
import { observedCore } from '../../support/observedCore.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';

const k = 0x2b53363f5e5cccf13bf00e650310d0e2d97c743af12b8b1ce683b5152749914n;
const secretKey = secretKeyOf(k);

const littleEndian = (value: bigint, size = 32) => {
  let rest = value;
  return Uint8Array.from({ length: size }, () => {
    const byte = Number(rest & 255n);
    rest >>= 8n;
    return byte;
  });
};

/** The 42 signed digits of six bits. */
function digits(scalar: bigint): Uint8Array {
  let carry = 0;
  return new Uint8Array(
    Int8Array.from({ length: 42 }, (_, w) => {
      const value = Number((scalar >> BigInt(6 * w)) & 63n) + carry;
      carry = value > 32 ? 1 : 0;
      return value - 64 * carry;
    }).buffer,
  );
}

/** Each form that a secret scalar takes on its way. */
const formsOf = (name: string, scalar: bigint): [string, Uint8Array][] => [
  [`${name} as bytes`, littleEndian(scalar)],
  [`${name} as limbs`, limbs(scalar)],
  [`${name} times R modulo L as limbs`, limbs((scalar * 2n ** 261n) % SUBGROUP_ORDER)],
  [`${name} as digits`, digits(scalar)],
];

describe('the memory of the fast core', () => {
  it('would show the secrets if they were left there', () => {
    const { core, memory } = observedCore();
    core.poseidon([k], 6);
    // The hash input stays at its place: it is public. Here it is the key, to see that the search
    // finds it.
    core.poseidon([1n, k], 6);
    expect(contains(memory(), littleEndian(k))).toBe(true);
  });

  it('holds no form of the key or of the nonce after a signature, a public key, and a refused key', () => {
    const { core, memory } = observedCore();
    const signer = core.createSigner(secretKey);
    const messages = Array.from({ length: 12 }, (_, i) => 2n ** 200n + BigInt(i));
    for (const message of messages) {
      signer.sign(message);
      const nonce = secretNonce(secretKey, message);
      for (const [form, pattern] of [...formsOf('the key', k), ...formsOf('the nonce', nonce)])
        expect([form, contains(memory(), pattern)]).toEqual([form, false]);
    }
    core.getPublicKey(secretKey);
    for (const [form, pattern] of formsOf('the key', k))
      expect([form, contains(memory(), pattern)]).toEqual([form, false]);
    const tooLarge = SUBGROUP_ORDER + k;
    expect(() => core.getPublicKey(secretKeyOf(tooLarge))).toThrow(CryptoError);
    expect(contains(memory(), littleEndian(tooLarge))).toBe(false);
    expect(contains(memory(), limbs(tooLarge))).toBe(false);
  });
});
