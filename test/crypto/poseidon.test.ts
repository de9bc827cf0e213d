import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_PRIME, PARTIAL_ROUNDS, type PoseidonWidth, poseidon } from '../../src/crypto/index.ts';
import { poseidonReference } from '../support/poseidonReference.ts';

const widths = Object.keys(PARTIAL_ROUNDS).map(Number) as PoseidonWidth[];
const edges = [0n, 1n, 2n, FIELD_PRIME - 1n, FIELD_PRIME - 2n, FIELD_PRIME / 2n, (1n << 253n) - 1n, 1n << 253n];
const elements = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }));

describe('poseidon', () => {
  it('has the widths of the protocol', () => {
    expect(widths).toEqual([3, 5, 6, 7, 9, 10, 12, 13]);
  });

  describe.each(widths)('at t = %i', (t) => {
    it('equals the definition for random and edge inputs of every length', () => {
      fc.assert(
        fc.property(fc.array(elements, { minLength: 1, maxLength: t - 1 }), (inputs) => {
          expect(poseidon(inputs, t)).toBe(poseidonReference(inputs, t));
        }),
        { numRuns: 60 },
      );
    });

    it('equals the definition where all inputs are the same edge', () => {
      for (const edge of edges) {
        const inputs = Array<bigint>(t - 1).fill(edge);
        expect(poseidon(inputs, t)).toBe(poseidonReference(inputs, t));
      }
    });

    it('depends on each input and its place', () => {
      const inputs = Array.from({ length: t - 1 }, (_, i) => BigInt(i + 1));
      const hashes = new Set([poseidon(inputs, t), poseidon([...inputs].reverse(), t)]);
      for (const i of inputs.keys()) hashes.add(poseidon(inputs.with(i, 99n), t));
      expect(hashes.size).toBe(t + 1);
    });

    it('leaves the inputs of the caller as they were', () => {
      const inputs = Array<bigint>(t - 1).fill(3n);
      poseidon(inputs, t);
      expect(inputs).toEqual(Array<bigint>(t - 1).fill(3n));
    });

    it('refuses no inputs and one too many', () => {
      for (const count of [0, t])
        expect(() => poseidon(Array<bigint>(count).fill(1n), t)).toThrow(
          expect.objectContaining({ code: 'input-count' }),
        );
    });

    it('refuses an input below zero or at the field prime, and names it', () => {
      for (const bad of [-1n, FIELD_PRIME, FIELD_PRIME + 5n, 1n << 256n])
        expect(() => poseidon([1n, bad], t)).toThrow(
          expect.objectContaining({ code: 'field-range', message: 'poseidon input 1 is outside the field' }),
        );
    });
  });

  it('refuses a width that the protocol does not use', () => {
    expect(() => poseidon([1n], 4 as PoseidonWidth)).toThrow(expect.objectContaining({ code: 'input-count' }));
  });
});
