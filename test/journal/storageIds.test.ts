import { describe, expect, it } from 'vitest';
import { checkJump, checkStorageId } from '../../src/journal/storageIds.ts';

const caught = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a storage id', () => {
  it.each([
    [0, 'order'],
    [4_294_967_294, 'order'],
    [1, 'offchain'],
    [4_294_967_295, 'offchain'],
  ] as const)('%i is one of the kind %s', (id, parity) => {
    expect(caught(() => checkStorageId(id, parity, 'it'))).toBeUndefined();
  });

  it.each([-2, 0.5, 4_294_967_296, Number.NaN, Number.POSITIVE_INFINITY])(
    'of 32 bits is a whole number, not %d',
    (id) => {
      expect(caught(() => checkStorageId(id, 'order', 'the next id'))).toMatchObject({
        ...{ name: 'JournalError', code: 'bad-input' },
        message: `the next id must be a whole number of at most 32 bits, not ${id}`,
      });
    },
  );

  it('is even for an order and odd for anything else', () => {
    expect(caught(() => checkStorageId(3, 'order', 'the next id'))).toMatchObject({
      ...{ code: 'bad-input', message: 'the next id must be even, for an order, not 3' },
    });
    expect(caught(() => checkStorageId(4, 'offchain', 'the next id'))).toMatchObject({
      ...{ code: 'bad-input', message: 'the next id must be odd, for an off-chain request, not 4' },
    });
  });
});

describe('a next id that the relayer names', () => {
  it('may be ahead by a million, behind by any number, or the one that the user approved', () => {
    expect(caught(() => checkJump(1_000_010, 10, undefined))).toBeUndefined();
    expect(caught(() => checkJump(0, 2_000_000, undefined))).toBeUndefined();
    expect(caught(() => checkJump(4_294_967_294, 10, 4_294_967_294))).toBeUndefined();
  });

  it.each([undefined, 4_294_967_294])('is not believed further ahead, when %s was approved', (accepted) => {
    expect(caught(() => checkJump(1_000_011, 10, accepted))).toMatchObject({
      ...{ code: 'id-jump', jump: { known: 10, named: 1_000_011 }, submissionId: undefined },
      message: 'the relayer’s next storage id is 1000011, and 10 is the next one known here',
    });
  });
});
