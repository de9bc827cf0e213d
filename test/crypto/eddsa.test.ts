import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AffinePoint,
  FIELD_PRIME,
  formatSignature,
  GROUP_ORDER,
  getPublicKey,
  parseSignature,
  type Signature,
  SUBGROUP_ORDER,
  sign,
  verify,
} from '../../src/crypto/index.ts';
import { Point } from '../support/curve.ts';
import { poseidonReference } from '../support/poseidonReference.ts';
import { secretKeyOf } from '../support/secretKeys.ts';
import { circuitEquationHolds } from '../support/vectorKinds/eddsaVerify.ts';
import { lowOrderPoints, plus } from './lowOrderPoints.ts';

const secretKey = secretKeyOf(0x45873d727cf47f60d9ce6f4d31ce16abdcb84633599c88b31beab6f1edd405an);
const publicKey = getPublicKey(secretKey);
const message = 0x29ffd38c7e0e3ef0020da09a908ef4c8ead046bc9e5962626f8e32b63121e85an;
const signature = sign(message, secretKey);

const k = scalarOf(secretKey);

const scalars = fc.bigInt({ min: 1n, max: SUBGROUP_ORDER - 1n });
const fieldElements = fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n });

/** The scalar of little-endian bytes. */
function scalarOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/**
 * A signature made with our secret key and a chosen nonce, but with the challenge of another public
 * key.
 */
function signWithForeignKey(nonce: bigint, A: AffinePoint): Signature {
  const { x, y } = Point.BASE.multiplyUnsafe(nonce).toAffine();
  return { Rx: x, Ry: y, S: (nonce + poseidonReference([x, y, A.x, A.y, message], 6) * k) % SUBGROUP_ORDER };
}

/** `code` of the error that `call` throws. */
function codeOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'did not throw';
}

describe('secret keys', () => {
  it('accepts 1 and the subgroup order − 1, whose public keys are each other negated', () => {
    const one = getPublicKey(secretKeyOf(1n));
    const last = getPublicKey(secretKeyOf(SUBGROUP_ORDER - 1n));
    expect(one).toEqual(Point.BASE.toAffine());
    expect(last).toEqual({ x: FIELD_PRIME - one.x, y: one.y });
    for (const scalar of [1n, SUBGROUP_ORDER - 1n]) {
      const key = secretKeyOf(scalar);
      expect(verify(sign(message, key), message, getPublicKey(key))).toBe(true);
    }
  });

  it.each([
    ['0', secretKeyOf(0n)],
    ['the subgroup order', secretKeyOf(SUBGROUP_ORDER)],
    ['the subgroup order + 1', secretKeyOf(SUBGROUP_ORDER + 1n)],
    ['the group order', secretKeyOf(GROUP_ORDER)],
    ['2^256 − 1', new Uint8Array(32).fill(255)],
    ['31 bytes', secretKey.slice(1)],
    ['33 bytes', new Uint8Array([...secretKey, 0])],
    ['no bytes', new Uint8Array()],
  ])('refuses %s, for signing and for the public key', (_name, key) => {
    expect(codeOf(() => sign(message, key))).toBe('secret-key-range');
    expect(codeOf(() => getPublicKey(key))).toBe('secret-key-range');
  });

  it('leaves the bytes of the caller as they were', () => {
    const key = secretKeyOf(77n);
    sign(message, key);
    expect(key).toEqual(secretKeyOf(77n));
  });
});

describe('sign', () => {
  it('is deterministic', () => {
    expect(sign(message, secretKey)).toEqual(signature);
  });

  it.each([-1n, FIELD_PRIME, FIELD_PRIME + message, 1n << 256n])('refuses the message %s', (outside) => {
    expect(codeOf(() => sign(outside, secretKey))).toBe('field-range');
  });

  it('takes the first and the last field element', () => {
    for (const edge of [0n, FIELD_PRIME - 1n]) expect(verify(sign(edge, secretKey), edge, publicKey)).toBe(true);
  });

  it('makes signatures that verify, with S below the subgroup order, for any key and message', () => {
    fc.assert(
      fc.property(scalars, fieldElements, (scalar, m) => {
        const key = secretKeyOf(scalar);
        const made = sign(m, key);
        expect(made.S < SUBGROUP_ORDER).toBe(true);
        expect(verify(made, m, getPublicKey(key))).toBe(true);
        expect(circuitEquationHolds(made, m, getPublicKey(key))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('verify', () => {
  it('accepts every S below the group order that is the same modulo the subgroup order, and none above', () => {
    for (let i = 0n; i < 8n; i++)
      expect(verify({ ...signature, S: signature.S + i * SUBGROUP_ORDER }, message, publicKey)).toBe(true);
    expect(verify({ ...signature, S: signature.S + GROUP_ORDER }, message, publicKey)).toBe(false);
    expect(verify({ ...signature, S: signature.S - SUBGROUP_ORDER }, message, publicKey)).toBe(false);
  });

  it.each([GROUP_ORDER, GROUP_ORDER + 1n, FIELD_PRIME, 1n << 256n, -1n])('refuses S = %s', (S) => {
    expect(verify({ ...signature, S }, message, publicKey)).toBe(false);
  });

  it('refuses the equation of an S at the group order or above even where it holds', () => {
    const key = secretKeyOf(8n);
    const made = sign(5n, key);
    const S = made.S + GROUP_ORDER;
    expect(circuitEquationHolds({ ...made, S }, 5n, getPublicKey(key))).toBe(true);
    expect(verify({ ...made, S }, 5n, getPublicKey(key))).toBe(false);
  });

  it('refuses coordinates at or above the prime that are right modulo the prime', () => {
    const { Rx, Ry, S } = signature;
    expect(verify({ Rx: Rx + FIELD_PRIME, Ry, S }, message, publicKey)).toBe(false);
    expect(verify({ Rx, Ry: Ry + FIELD_PRIME, S }, message, publicKey)).toBe(false);
    expect(verify(signature, message, { ...publicKey, x: publicKey.x + FIELD_PRIME })).toBe(false);
    expect(verify(signature, message, { ...publicKey, y: publicKey.y + FIELD_PRIME })).toBe(false);
    expect(verify({ Rx: Rx - FIELD_PRIME, Ry, S }, message, publicKey)).toBe(false);
    expect(verify(signature, message, { ...publicKey, y: publicKey.y - FIELD_PRIME })).toBe(false);
  });

  it('refuses a message outside the field', () => {
    expect(verify(signature, message + FIELD_PRIME, publicKey)).toBe(false);
    expect(verify(signature, message - FIELD_PRIME, publicKey)).toBe(false);
  });

  it('refuses points off the curve', () => {
    expect(verify(signature, message, { x: publicKey.x + 1n, y: publicKey.y })).toBe(false);
    expect(verify(signature, message, { x: 0n, y: 0n })).toBe(false);
    expect(verify({ ...signature, Rx: signature.Rx + 1n }, message, publicKey)).toBe(false);
    expect(verify({ Rx: 0n, Ry: 0n, S: signature.S }, message, publicKey)).toBe(false);
  });

  it('knows eight low-order points, the neutral element and (0, −1) among them', () => {
    expect(new Set(lowOrderPoints.map(({ x, y }) => `${x},${y}`)).size).toBe(8);
    expect(lowOrderPoints).toContainEqual({ x: 0n, y: 1n });
    expect(lowOrderPoints).toContainEqual({ x: 0n, y: FIELD_PRIME - 1n });
  });

  it.each(lowOrderPoints.map((point, index) => [index, point] as const))(
    'refuses low-order point %i as public key, also where the equation holds',
    (_index, A) => {
      // R = S·B satisfies S·B = R + c·A whenever c is a multiple of A's order: one try in eight at
      // the worst.
      let holding = 0;
      for (let S = 1n; S < 400n && holding === 0; S++) {
        const { x, y } = Point.BASE.multiplyUnsafe(S).toAffine();
        const forged: Signature = { Rx: x, Ry: y, S };
        if (!circuitEquationHolds(forged, message, A)) continue;
        holding++;
        expect(verify(forged, message, A)).toBe(false);
      }
      expect(holding).toBe(1);
    },
  );

  it.each(lowOrderPoints.slice(1).map((point, index) => [index + 1, point] as const))(
    'refuses the honest key plus low-order point %i, also where the equation holds',
    (_index, torsion) => {
      const A = plus(publicKey, torsion);
      let holding = 0;
      for (let r = 1n; r < 400n && holding === 0; r++) {
        const forged = signWithForeignKey(r, A);
        if (!circuitEquationHolds(forged, message, A)) continue;
        holding++;
        expect(verify(forged, message, A)).toBe(false);
      }
      expect(holding).toBe(1);
    },
  );

  it('refuses R of low or mixed order', () => {
    for (const torsion of lowOrderPoints) {
      expect(verify({ Rx: torsion.x, Ry: torsion.y, S: 0n }, message, publicKey)).toBe(false);
      expect(verify({ Rx: torsion.x, Ry: torsion.y, S: signature.S }, message, publicKey)).toBe(false);
      if (torsion.x === 0n && torsion.y === 1n) continue;
      const R = plus({ x: signature.Rx, y: signature.Ry }, torsion);
      expect(verify({ Rx: R.x, Ry: R.y, S: signature.S }, message, publicKey)).toBe(false);
    }
  });

  it('refuses a neutral R even when S = c·k makes the equation hold', () => {
    const neutral = { Rx: 0n, Ry: 1n };
    const S = (poseidonReference([0n, 1n, publicKey.x, publicKey.y, message], 6) * k) % SUBGROUP_ORDER;
    expect(circuitEquationHolds({ ...neutral, S }, message, publicKey)).toBe(true);
    expect(verify({ ...neutral, S }, message, publicKey)).toBe(false);
  });

  it('refuses a signature when any part, the message or the key is changed', () => {
    const change = fc.bigInt({ min: 1n, max: SUBGROUP_ORDER - 1n });
    fc.assert(
      fc.property(change, fc.constantFrom('Rx', 'Ry', 'S', 'message', 'x', 'y', 'key'), (delta, part) => {
        const changed: Record<string, bigint> = { ...signature, ...publicKey, message };
        if (part === 'key') Object.assign(changed, getPublicKey(secretKeyOf(delta)));
        else changed[part] = (changed[part] as bigint) + delta;
        const { Rx, Ry, S, x, y } = changed as unknown as Signature & AffinePoint;
        expect(verify({ Rx, Ry, S }, changed.message as bigint, { x, y })).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  it('answers like the bare equation for honest points with any S', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: GROUP_ORDER - 1n }), fc.boolean(), (S, honest) => {
        const tried = honest ? { ...signature, S: signature.S + (S % 8n) * SUBGROUP_ORDER } : { ...signature, S };
        expect(verify(tried, message, publicKey)).toBe(circuitEquationHolds(tried, message, publicKey));
      }),
      { numRuns: 30 },
    );
  });
});

describe('signature text', () => {
  const text = formatSignature(signature);

  it('is 0x and 192 lower-case digits, with leading zeros kept', () => {
    expect(text).toMatch(/^0x[0-9a-f]{192}$/);
    expect(formatSignature({ Rx: 1n, Ry: 2n, S: 3n })).toBe(
      `0x${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}${'3'.padStart(64, '0')}`,
    );
  });

  it('reads back what it wrote, in either case', () => {
    const part = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
    fc.assert(
      fc.property(part, part, part, fc.boolean(), (Rx, Ry, S, upper) => {
        const written = formatSignature({ Rx, Ry, S });
        expect(parseSignature(upper ? `0x${written.slice(2).toUpperCase()}` : written)).toEqual({ Rx, Ry, S });
      }),
    );
  });

  it.each([
    ['without 0x', text.slice(2)],
    ['without 0x but of the same length', `00${text.slice(2)}`],
    ['with 0X', text.replace('0x', '0X')],
    ['one digit short', text.slice(0, -1)],
    ['one digit long', `${text}0`],
    ['with a type byte', `${text}02`],
    ['with a sign', `0x-${text.slice(3)}`],
    ['with a letter outside hex', `${text.slice(0, -1)}g`],
    ['with a newline at the end', `${text}\n`],
    ['with a space in front', ` ${text}`],
    ['empty', ''],
    ['only 0x', '0x'],
  ])('is refused %s', (_name, bad) => {
    expect(codeOf(() => parseSignature(bad))).toBe('signature-format');
  });

  it('is refused when it is not a string', () => {
    for (const bad of [undefined, null, 12, {}, [text]])
      expect(codeOf(() => parseSignature(bad as unknown as string))).toBe('signature-format');
  });
});
