import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fastCore } from '../../../src/crypto/fast.ts';
import {
  type AffinePoint,
  GROUP_ORDER,
  poseidon,
  type Signature,
  SUBGROUP_ORDER,
  verify,
} from '../../../src/crypto/index.ts';
import { createBatchVerifier, type SignedMessage } from '../../../src/crypto/wasm/batchVerifier.ts';
import { FastKey } from '../../../src/crypto/wasm/fastKey.ts';
import { Point } from '../../support/curve.ts';
import { fuzzFactor } from '../../support/fuzz.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';
import { lowOrderPoints, plus } from '../lowOrderPoints.ts';

const secrets = Array.from({ length: 12 }, (_, i) => BigInt(i + 3) ** 50n % SUBGROUP_ORDER);
const fast = fastCore();
if (!fast) throw new Error('the fast core did not load');
const signers = secrets.map((secret) => fast.createSigner(secretKeyOf(secret)));
const good = (index: number, message: bigint): SignedMessage => {
  const signer = signers[index % signers.length] as (typeof signers)[number];
  return { signature: signer.sign(message), message, publicKey: signer.publicKey };
};
const batchVerifier = (options = {}) => {
  const verifier = createBatchVerifier(options);
  if (!verifier) throw new Error('this engine has no WebAssembly');
  return verifier;
};
const oneByOne = (signed: readonly SignedMessage[]) =>
  signed.map(({ signature, message, publicKey }) => verify(signature, message, publicKey));

/**
 * What the cofactored equation accepts and the strict one does not: R has a part of small order.
 */
function withTorsion(index: number, message: bigint, torsion: AffinePoint): SignedMessage {
  const publicKey = (signers[index] as (typeof signers)[number]).publicKey;
  const nonce = BigInt(index) * 7_919n + 11n;
  const R = plus(Point.BASE.multiply(nonce).toAffine(), torsion);
  const challenge = poseidon([R.x, R.y, publicKey.x, publicKey.y, message], 6);
  const S = (nonce + (secrets[index] as bigint) * challenge) % SUBGROUP_ORDER;
  return { signature: { Rx: R.x, Ry: R.y, S }, message, publicKey };
}

const spoil: Record<string, (signed: SignedMessage) => SignedMessage> = {
  nothing: (signed) => signed,
  'S + 3L': ({ signature, ...rest }) => ({
    ...rest,
    signature: { ...signature, S: signature.S + 3n * SUBGROUP_ORDER },
  }),
  'S too large': ({ signature, ...rest }) => ({ ...rest, signature: { ...signature, S: signature.S + GROUP_ORDER } }),
  'S + 1': ({ signature, ...rest }) => ({ ...rest, signature: { ...signature, S: signature.S + 1n } }),
  'R off the curve': ({ signature, ...rest }) => ({ ...rest, signature: { ...signature, Ry: signature.Ry + 1n } }),
  'R neutral': ({ signature, ...rest }) => ({ ...rest, signature: { ...signature, Rx: 0n, Ry: 1n } }),
  'R turned': ({ signature, ...rest }) => ({
    ...rest,
    signature: {
      ...signature,
      ...turned(plus({ x: signature.Rx, y: signature.Ry }, lowOrderPoints[3] as AffinePoint)),
    },
  }),
  'another message': (signed) => ({ ...signed, message: signed.message + 1n }),
  'another key': (signed) => ({ ...signed, publicKey: (signers[0] as (typeof signers)[number]).publicKey }),
  'a key of small order': (signed) => ({ ...signed, publicKey: lowOrderPoints[1] as AffinePoint }),
  'a key off the curve': (signed) => ({ ...signed, publicKey: { x: signed.publicKey.x + 1n, y: signed.publicKey.y } }),
};
const turned = ({ x, y }: AffinePoint): Pick<Signature, 'Rx' | 'Ry'> => ({ Rx: x, Ry: y });

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a batch verifier', () => {
  it('answers like verify, whatever is in the group and however large it is', () => {
    const one = fc.record({
      index: fc.nat(1_000),
      message: fc.bigInt(0n, 1n << 250n),
      how: fc.constantFrom(...Object.keys(spoil), 'nothing', 'nothing', 'nothing'),
    });
    const remembering = batchVerifier({ usesBeforeTable: 40 });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 150 }), (group) => {
        const signed = group.map(({ index, message, how }) =>
          (spoil[how] as (s: SignedMessage) => SignedMessage)(good(index, message)),
        );
        const expected = oneByOne(signed);
        expect(batchVerifier()(signed)).toEqual(expected);
        expect(remembering(signed)).toEqual(expected);
      }),
      { numRuns: 12 * fuzzFactor },
    );
  });

  it('accepts a group in which all are right without checking any one by one', () => {
    const group = Array.from({ length: 70 }, (_, i) => good(i, BigInt(i)));
    const single = vi.spyOn(FastKey.prototype, 'satisfies');
    expect(batchVerifier()(group)).toEqual(Array(70).fill(true));
    expect(single).not.toHaveBeenCalled();
  });

  it('refuses wrong signatures whose errors cancel each other out', () => {
    const group = [good(1, 1n), good(2, 2n), good(3, 3n), good(4, 4n)];
    const shift = (signed: SignedMessage, by: bigint) => ({
      ...signed,
      signature: { ...signed.signature, S: (signed.signature.S + by + SUBGROUP_ORDER) % SUBGROUP_ORDER },
    });
    const [a, b, c, d] = group as [SignedMessage, SignedMessage, SignedMessage, SignedMessage];
    for (let by = 1n; by < 20n; by++)
      expect(batchVerifier()([shift(a, by), shift(b, -by), c, d])).toEqual([false, false, true, true]);
  });

  it('refuses parts of small order in R, alone and where they cancel each other out', () => {
    for (const [n, torsion] of lowOrderPoints.entries()) {
      const opposite = lowOrderPoints[(8 - n) % 8] as AffinePoint;
      for (let round = 0; round < 12; round++) {
        const group = [
          withTorsion(1, BigInt(round), torsion),
          withTorsion(2, BigInt(round), opposite),
          good(3, BigInt(round)),
          good(4, BigInt(round)),
        ];
        expect(batchVerifier()(group)).toEqual([n === 0, n === 0, true, true]);
      }
    }
  });

  it('refuses an R off the curve or outside the subgroup before the others are checked with it', () => {
    const others = [good(1, 1n), good(2, 2n), good(3, 3n)];
    const spoiled = Array.from({ length: 40 }, (_, n) => good(4, BigInt(n)));
    const single = vi.spyOn(FastKey.prototype, 'satisfies');
    for (const [n, { signature, ...rest }] of spoiled.entries()) {
      const offTheCurve = { ...rest, signature: { ...signature, Ry: signature.Ry ^ 1n } };
      const outside = withTorsion(5, BigInt(n), lowOrderPoints[(n % 7) + 1] as AffinePoint);
      expect(batchVerifier()([offTheCurve, outside, ...others])).toEqual([false, false, true, true, true]);
    }
    expect(single).not.toHaveBeenCalled();
  });

  it('keeps a key with a wrong signature out of the next batches', () => {
    const verifier = batchVerifier();
    const group = Array.from({ length: 10 }, (_, i) => good(i, 5n));
    const wrong = group.with(4, good(4, 6n)).map((signed, i) => (i === 4 ? { ...signed, message: 5n } : signed));
    const expected = group.map((_signed, i) => i !== 4);
    const single = vi.spyOn(FastKey.prototype, 'satisfies');
    expect(verifier(wrong)).toEqual(expected);
    expect(single).toHaveBeenCalledTimes(10);
    single.mockClear();
    for (let round = 0; round < 20; round++) expect(verifier(wrong)).toEqual(expected);
    expect(single).toHaveBeenCalledTimes(20);
  });

  it('lets a key back into batches in time', () => {
    const verifier = batchVerifier({ maxTables: 0 });
    const group = Array.from({ length: 10 }, (_, i) => good(i, 5n));
    verifier(group.map((signed, i) => (i === 4 ? { ...signed, message: 6n } : signed)));
    for (let round = 0; round < 64; round++) verifier(group);
    const single = vi.spyOn(FastKey.prototype, 'satisfies');
    expect(verifier(group)).toEqual(group.map(() => true));
    expect(single).not.toHaveBeenCalled();
  });

  it('checks keys that have a table one by one', () => {
    const verifier = batchVerifier({ usesBeforeTable: 3 });
    const group = Array.from({ length: 6 }, (_, i) => good(i, 5n));
    for (let round = 0; round < 4; round++) verifier(group);
    const single = vi.spyOn(FastKey.prototype, 'satisfies');
    expect(verifier(group)).toEqual(group.map(() => true));
    expect(single).toHaveBeenCalledTimes(6);
  });

  it('draws new weights for each batch', () => {
    const drawn = vi.spyOn(crypto, 'getRandomValues');
    const verifier = batchVerifier();
    const group = [good(1, 1n), good(2, 2n), good(3, 3n)];
    verifier(group);
    verifier(group);
    const weights = drawn.mock.results
      .map(({ value }) => Buffer.from(value as Uint8Array).toString('hex'))
      .filter(({ length }) => length === 96);
    expect(weights).toHaveLength(2);
    expect(new Set(weights).size).toBe(2);
  });

  it('refuses options out of range', () => {
    expect(() => createBatchVerifier({ maxKeys: 0 })).toThrow(expect.objectContaining({ code: 'verifier-options' }));
  });

  it('is not there without WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    try {
      expect(createBatchVerifier()).toBeNull();
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
