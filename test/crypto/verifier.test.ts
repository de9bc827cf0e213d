import { afterEach, describe, expect, it, vi } from 'vitest';
import { coreInUse } from '../../src/crypto/core.ts';
import {
  type AffinePoint,
  createSigner,
  createVerifier,
  GROUP_ORDER,
  type Signature,
  SUBGROUP_ORDER,
  verify,
} from '../../src/crypto/index.ts';
import { PreparedKey } from '../../src/crypto/publicArithmetic.ts';
import { FastKey } from '../../src/crypto/wasm/fastKey.ts';
import { secretKeyOf } from '../support/secretKeys.ts';
import { lowOrderPoints, plus } from './lowOrderPoints.ts';

/** What the core in use prepares of a key. */
const keyClass = coreInUse() === 'fast' ? FastKey : PreparedKey;
/** Only keys of the fast core have tables. */
const itOfTables = it.runIf(keyClass === FastKey);

const message = 0x29ffd38c7e0e3ef0020da09a908ef4c8ead046bc9e5962626f8e32b63121e85an;
const people = Array.from({ length: 5 }, (_, i) => {
  const signer = createSigner(secretKeyOf(BigInt(i + 1) ** 40n + 77n));
  return { publicKey: signer.publicKey, signature: signer.sign(message) };
});
type Person = (typeof people)[number];
const person = (index: number) => people[index] as Person;

/** What must be refused, and what must be accepted, for one person. */
function cases({ publicKey, signature }: Person): { signature: Signature; message: bigint; publicKey: AffinePoint }[] {
  const { Rx, Ry, S } = signature;
  return [
    { signature, message, publicKey },
    { signature: { Rx, Ry, S: S + 3n * SUBGROUP_ORDER }, message, publicKey },
    { signature: { Rx, Ry, S: S + GROUP_ORDER }, message, publicKey },
    { signature: { Rx, Ry, S: S + 1n }, message, publicKey },
    { signature: { Rx, Ry: Ry + 1n, S }, message, publicKey },
    { signature: { Rx: 0n, Ry: 1n, S }, message, publicKey },
    { signature, message: message + 1n, publicKey },
    { signature, message, publicKey: { x: publicKey.x + 1n, y: publicKey.y } },
    ...lowOrderPoints.map((torsion) => ({ signature, message, publicKey: torsion })),
    ...lowOrderPoints.slice(1).map((torsion) => ({ signature, message, publicKey: plus(publicKey, torsion) })),
  ];
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('createVerifier', () => {
  it.each([
    ['with room for all', {}],
    ['without tables', { maxTables: 0 }],
    ['with a table at the second use', { usesBeforeTable: 1 }],
    ['with room for one key', { maxKeys: 1 }],
    ['with one table that moves', { maxTables: 1, usesBeforeTable: 1 }],
  ])('answers like verify %s', (_name, options) => {
    const remembering = createVerifier(options);
    for (let round = 0; round < 3; round++)
      for (const each of people)
        for (const tried of cases(each))
          expect(remembering(tried.signature, tried.message, tried.publicKey)).toBe(
            round === 0 ? verify(tried.signature, tried.message, tried.publicKey) : expectedOf(tried, each),
          );
  });

  it('checks the subgroup of a key once while it remembers it', () => {
    const check = vi.spyOn(keyClass.prototype as FastKey, 'isInSubgroup');
    const remembering = createVerifier();
    for (let i = 0; i < 10; i++) expect(remembering(person(0).signature, message, person(0).publicKey)).toBe(true);
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('forgets the key that was used least recently', () => {
    const check = vi.spyOn(keyClass.prototype as FastKey, 'isInSubgroup');
    const remembering = createVerifier({ maxKeys: 2 });
    const use = (index: number) => remembering(person(index).signature, message, person(index).publicKey);
    use(0);
    use(1);
    use(0);
    use(2);
    expect(check).toHaveBeenCalledTimes(3);
    use(0);
    use(2);
    expect(check).toHaveBeenCalledTimes(3);
    use(1);
    expect(check).toHaveBeenCalledTimes(4);
  });

  it('does not let refused keys push a good one out', () => {
    const check = vi.spyOn(keyClass.prototype as FastKey, 'isInSubgroup');
    const remembering = createVerifier({ maxKeys: 1 });
    const { signature, publicKey } = person(0);
    remembering(signature, message, publicKey);
    for (const torsion of lowOrderPoints.slice(1)) remembering(signature, message, plus(publicKey, torsion));
    check.mockClear();
    expect(remembering(signature, message, publicKey)).toBe(true);
    expect(check).not.toHaveBeenCalled();
  });

  itOfTables('builds no more tables than it may keep, and drops the one used least recently', () => {
    const build = vi.spyOn(FastKey.prototype, 'buildTable');
    const drop = vi.spyOn(FastKey.prototype, 'dropTable');
    const remembering = createVerifier({ maxTables: 1, usesBeforeTable: 2 });
    const use = (index: number, times: number) => {
      for (let i = 0; i < times; i++) remembering(person(index).signature, message, person(index).publicKey);
    };
    use(0, 2);
    expect(build).toHaveBeenCalledTimes(0);
    use(0, 5);
    expect(build).toHaveBeenCalledTimes(1);
    use(1, 3);
    expect(build).toHaveBeenCalledTimes(2);
    expect(drop).toHaveBeenCalledTimes(1);
  });

  itOfTables('builds a table again only after as many uses as the first time', () => {
    const build = vi.spyOn(FastKey.prototype, 'buildTable');
    const remembering = createVerifier({ maxTables: 1, usesBeforeTable: 4 });
    for (let i = 0; i < 40; i++) {
      const { signature, publicKey } = person(i % 2);
      expect(remembering(signature, message, publicKey)).toBe(true);
    }
    expect(build.mock.calls.length).toBeLessThanOrEqual(40 / 4);
  });

  itOfTables('gives the table of a forgotten key back', () => {
    const drop = vi.spyOn(FastKey.prototype, 'dropTable');
    const remembering = createVerifier({ maxKeys: 1, maxTables: 5, usesBeforeTable: 1 });
    for (const index of [0, 0, 1]) remembering(person(index).signature, message, person(index).publicKey);
    expect(drop).toHaveBeenCalledTimes(1);
  });

  it.each([{ maxKeys: 0 }, { maxKeys: 1.5 }, { maxTables: -1 }, { usesBeforeTable: 0 }, { maxKeys: Number.NaN }])(
    'refuses the options %o',
    (options) => {
      expect(() => createVerifier(options)).toThrow(expect.objectContaining({ code: 'verifier-options' }));
    },
  );
});

/** Only the first two cases of a person verify. */
function expectedOf(tried: ReturnType<typeof cases>[number], each: Person): boolean {
  const [plain, wider] = cases(each);
  return [plain, wider].some(
    (good) =>
      good?.message === tried.message &&
      good.signature.S === tried.signature.S &&
      good.signature.Rx === tried.signature.Rx &&
      good.signature.Ry === tried.signature.Ry &&
      good.publicKey.x === tried.publicKey.x &&
      good.publicKey.y === tried.publicKey.y,
  );
}
