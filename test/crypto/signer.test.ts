import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSigner, FIELD_PRIME, getPublicKey, SUBGROUP_ORDER, sign, verify } from '../../src/crypto/index.ts';
import { secretKeyOf } from '../support/secretKeys.ts';

const secretKey = secretKeyOf(0x23613dca05dc5b5f944ca2c431d628fc79078f70ee88cc85ef4fe1654dbe10bn);

describe('createSigner', () => {
  it('has the public key of the secret key', () => {
    expect(createSigner(secretKey).publicKey).toEqual(getPublicKey(secretKey));
  });

  it('signs like sign, before and after it has its table', () => {
    const signer = createSigner(secretKey);
    for (let message = 0n; message < 20n; message++) {
      const signature = signer.sign(message);
      expect(signature).toEqual(sign(message, secretKey));
      expect(verify(signature, message, signer.publicKey)).toBe(true);
    }
  });

  it('signs like sign with any key', () => {
    const scalars = fc.bigInt({ min: 1n, max: SUBGROUP_ORDER - 1n });
    const messages = fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n });
    fc.assert(
      fc.property(scalars, messages, (k, message) => {
        expect(createSigner(secretKeyOf(k)).sign(message)).toEqual(sign(message, secretKeyOf(k)));
      }),
      { numRuns: 20 },
    );
  });

  it('keeps its own copy of the secret bytes', () => {
    const bytes = Uint8Array.from(secretKey);
    const signer = createSigner(bytes);
    bytes.fill(0);
    expect(signer.sign(5n)).toEqual(sign(5n, secretKey));
  });

  it('offers no way to another public key', () => {
    const signer = createSigner(secretKey);
    const foreign = getPublicKey(secretKeyOf(9n));
    expect(() => Object.assign(signer.publicKey, foreign)).toThrow(TypeError);
    Object.assign(signer, { publicKey: foreign });
    expect(signer.sign(5n)).toEqual(sign(5n, secretKey));
  });

  it('refuses to sign after it was wiped', () => {
    const signer = createSigner(secretKey);
    signer.wipe();
    expect(() => signer.sign(5n)).toThrow(expect.objectContaining({ code: 'signer-wiped' }));
  });

  it('refuses keys and messages out of range', () => {
    for (const scalar of [0n, SUBGROUP_ORDER])
      expect(() => createSigner(secretKeyOf(scalar))).toThrow(expect.objectContaining({ code: 'secret-key-range' }));
    const signer = createSigner(secretKey);
    for (const message of [-1n, FIELD_PRIME])
      expect(() => signer.sign(message)).toThrow(expect.objectContaining({ code: 'field-range' }));
  });

  it('shows no secret when it is printed', () => {
    const signer = createSigner(secretKey);
    const text = `${JSON.stringify(signer, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
    expect(Object.keys(signer).sort()).toEqual(['publicKey', 'sign', 'wipe']);
    expect(text).not.toContain(0x23613dca05dc5b5f944ca2c431d628fc79078f70ee88cc85ef4fe1654dbe10bn.toString());
  });
});
