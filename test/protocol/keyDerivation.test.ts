import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPublicKey } from '../../src/crypto/index.ts';
import {
  KeyDerivationError,
  keySeedText,
  matchSignatureToKey,
  secretKeyFromSignature,
} from '../../src/protocol/index.ts';
import { exchange } from './samples.ts';

const signature = (v: number, length = 65) =>
  Uint8Array.from({ length }, (_, i) => (i === length - 1 ? v : (i * 7) & 255));

describe('keySeedText', () => {
  it('is the template with exchange and nonce, letter for letter', () => {
    expect(keySeedText(exchange, 3)).toBe(
      'Sign this message to access Loopring Exchange: 0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4 with key nonce: 3',
    );
    expect(keySeedText(exchange.toLowerCase(), 3)).not.toBe(keySeedText(exchange, 3));
  });

  it.each([
    ['', 0],
    ['0x1', 0],
    [`${exchange}\nother`, 0],
    [exchange, -1],
    [exchange, 0.5],
    [exchange, 2 ** 32],
    [exchange, Number.NaN],
  ])('refuses exchange %j with nonce %j', (address, nonce) => {
    expect(() => keySeedText(address, nonce)).toThrow(KeyDerivationError);
  });
});

describe('secretKeyFromSignature', () => {
  it('gives a usable key for any bytes and leaves them untouched', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        const copy = Uint8Array.from(bytes);
        expect(() => getPublicKey(secretKeyFromSignature(bytes))).not.toThrow();
        expect(bytes).toEqual(copy);
      }),
      { numRuns: 20 },
    );
  });
});

describe('matchSignatureToKey', () => {
  const forms = [0x1b, 0x1c, 0x00, 0x01];

  it.each(forms.flatMap((returned) => forms.map((registered) => [returned, registered] as const)))(
    'finds the key when the signer returned v=%i and the account was registered with v=%i',
    (returned, registered) => {
      const secretKey = secretKeyFromSignature(signature(registered));
      expect(matchSignatureToKey(signature(returned), getPublicKey(secretKey))).toEqual({ secretKey, v: registered });
    },
  );

  it('takes an unusual last byte as it is returned', () => {
    const secretKey = secretKeyFromSignature(signature(0x25));
    expect(matchSignatureToKey(signature(0x25), getPublicKey(secretKey))).toEqual({ secretKey, v: 0x25 });
  });

  it('finds none for another signature, another v, or no bytes', () => {
    const registered = getPublicKey(secretKeyFromSignature(signature(0x25)));
    expect(matchSignatureToKey(signature(0x1b), registered)).toBeNull();
    expect(matchSignatureToKey(new Uint8Array(), registered)).toBeNull();
  });

  it('tries the longer signature of a contract wallet only as it is', () => {
    const long = getPublicKey(secretKeyFromSignature(signature(0x1b, 130)));
    expect(matchSignatureToKey(signature(0x1b, 130), long)?.v).toBe(0x1b);
    expect(matchSignatureToKey(signature(0x1c, 130), long)).toBeNull();
  });

  it('leaves the signature untouched', () => {
    const bytes = signature(0x1c);
    matchSignatureToKey(bytes, { x: 0n, y: 1n });
    expect(bytes).toEqual(signature(0x1c));
  });
});
