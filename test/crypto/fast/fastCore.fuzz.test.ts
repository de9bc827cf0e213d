import { describe, expect, it } from 'vitest';
import { plainCore } from '../../../src/crypto/core.ts';
import { fastCore } from '../../../src/crypto/fast.ts';
import {
  FIELD_PRIME,
  GROUP_ORDER,
  PARTIAL_ROUNDS,
  type PoseidonWidth,
  type Signature,
  SUBGROUP_ORDER,
} from '../../../src/crypto/index.ts';
import { fuzz, fuzzFactor, fuzzSeed } from '../../support/fuzz.ts';
import type { Random } from '../../support/random.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';
import { circuitEquationHolds } from '../../support/vectorKinds/eddsaVerify.ts';
import { lowOrderPoints, plus } from '../lowOrderPoints.ts';

const fast = fastCore();
if (!fast) throw new Error('the fast core did not load');
const widths = Object.keys(PARTIAL_ROUNDS).map(Number) as PoseidonWidth[];
const aKey = (random: Random) => secretKeyOf(1n + random.edgy(SUBGROUP_ORDER - 1n));

describe(`the fast core, seed ${fuzzSeed}`, { timeout: 120_000 * fuzzFactor }, () => {
  it.each(widths)('hashes like the plain core at t = %i', (t) => {
    fuzz(`plain ${t}`, 1_500, (random) => {
      const length = 1 + random.index(t - 1);
      const ends = random.index(4) === 0;
      const inputs = Array.from({ length }, () =>
        ends ? random.pick([0n, FIELD_PRIME - 1n]) : random.edgy(FIELD_PRIME),
      );
      expect(fast.poseidon(inputs, t)).toBe(plainCore.poseidon(inputs, t));
    });
  });

  it('has the public keys of the plain core', () => {
    fuzz('public key', 1_500, (random) => {
      const key = aKey(random);
      expect(fast.getPublicKey(key)).toEqual(plainCore.getPublicKey(key));
    });
  });

  it('signs like the plain core, with keys used once and keys used often', () => {
    fuzz('sign once', 250, (random) => {
      const key = aKey(random);
      const message = random.edgy(FIELD_PRIME);
      expect(fast.createSigner(key).sign(message)).toEqual(plainCore.createSigner(key).sign(message));
    });
    const pairs = Array.from({ length: 8 }, (_, i) => secretKeyOf(BigInt(i + 3) ** 77n % SUBGROUP_ORDER)).map(
      (key) => ({
        fast: fast.createSigner(key),
        plain: plainCore.createSigner(key),
      }),
    );
    fuzz('sign', 800, (random) => {
      const pair = random.pick(pairs);
      const message = random.edgy(FIELD_PRIME);
      expect(pair.fast.sign(message)).toEqual(pair.plain.sign(message));
    });
  });

  it('verifies like the plain core: right and wrong signatures, odd keys, with and without tables', () => {
    const people = Array.from({ length: 6 }, (_, i) =>
      fast.createSigner(secretKeyOf(BigInt(i + 2) ** 60n % SUBGROUP_ORDER)),
    );
    const verifiers = [
      { fast: fast.createVerifier(), plain: plainCore.createVerifier() },
      {
        fast: fast.createVerifier({ maxKeys: 3, maxTables: 2, usesBeforeTable: 2 }),
        plain: plainCore.createVerifier(),
      },
      { fast: fast.createVerifier({ maxTables: 0 }), plain: plainCore.createVerifier() },
    ];
    const seen = { true: 0, false: 0 };
    fuzz('verify', 1_800, (random) => {
      const person = random.pick(people);
      const message = random.edgy(FIELD_PRIME);
      const { Rx, Ry, S } = person.sign(message);
      const A = person.publicKey;
      const delta = 1n + random.edgy(FIELD_PRIME - 1n);
      const torsion = random.pick(lowOrderPoints);
      const [signature, key, m] = random.pick<() => [Signature, typeof A, bigint]>([
        () => [{ Rx, Ry, S }, A, message],
        () => [{ Rx, Ry, S }, A, message],
        () => [{ Rx, Ry, S: S + BigInt(random.index(9)) * SUBGROUP_ORDER }, A, message],
        () => [{ Rx, Ry, S: (S + delta) % GROUP_ORDER }, A, message],
        () => [{ Rx: (Rx + delta) % FIELD_PRIME, Ry, S }, A, message],
        () => [{ Rx, Ry: (Ry + delta) % FIELD_PRIME, S }, A, message],
        () => [{ Rx: FIELD_PRIME - Rx, Ry, S }, A, message],
        () => [{ Rx, Ry, S }, A, (message + delta) % FIELD_PRIME],
        () => [{ Rx, Ry, S }, plus(A, torsion), message],
        () => [{ Rx, Ry, S }, torsion, message],
        () => [{ Rx, Ry, S }, random.pick(people).publicKey, message],
        () => [{ Rx: torsion.x, Ry: torsion.y, S }, A, message],
        () => [{ Rx, Ry, S }, { x: A.x, y: (A.y + delta) % FIELD_PRIME }, message],
        () => [{ Rx: Rx + FIELD_PRIME, Ry, S }, A, message],
      ])();
      const pair = random.pick(verifiers);
      const expected = pair.plain(signature, m, key);
      seen[`${expected}`]++;
      expect(fast.verify(signature, m, key)).toBe(expected);
      expect(pair.fast(signature, m, key)).toBe(expected);
      if (random.index(20) === 0) {
        expect(plainCore.verify(signature, m, key)).toBe(expected);
        if (expected) expect(circuitEquationHolds(signature, m, key)).toBe(true);
      }
    });
    expect(seen.true).toBeGreaterThan(200);
    expect(seen.false).toBeGreaterThan(200);
  });
});
