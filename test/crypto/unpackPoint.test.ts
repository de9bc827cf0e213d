import { describe, expect, it } from 'vitest';
import { FIELD_PRIME, getPublicKey, packPoint, unpackPoint } from '../../src/crypto/index.ts';
import { fuzz } from '../support/fuzz.ts';
import { secretKeyOf } from '../support/secretKeys.ts';

describe('unpackPoint', () => {
  it('is the inverse of packPoint', () => {
    fuzz('unpackPoint', 10, (random) => {
      const point = getPublicKey(secretKeyOf(1n + random.below(1n << 200n)));
      expect(unpackPoint(packPoint(point))).toEqual(point);
      const mirrored = { x: FIELD_PRIME - point.x, y: point.y };
      expect(unpackPoint(packPoint(mirrored))).toEqual(mirrored);
    });
    expect(unpackPoint(1n)).toEqual({ x: 0n, y: 1n });
  });

  it.each([
    ['a y for which the curve has no x', 2n],
    ['a y at the prime', FIELD_PRIME],
    ['bit 254', 1n | (1n << 254n)],
    ['a sign at x = 0', 1n | (1n << 255n)],
    ['more than 256 bits', 1n | (1n << 256n)],
  ])('gives no point for %s', (_title, packed) => {
    expect(unpackPoint(packed)).toBeNull();
  });
});
