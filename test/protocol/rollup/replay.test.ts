import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  decodeBlock,
  publicDataHash,
  RollupError,
  RollupState,
  replayBlock,
  type Transaction,
} from '../../../src/protocol/rollup/index.ts';
import { fuzz } from '../../support/fuzz.ts';
import '../../support/useFastCore.ts';

interface Scenario {
  blocks: { data: string }[];
}

const { scenarios }: { scenarios: Scenario[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../vectors/replay-vectors.json'), 'utf8'),
);
/** First blocks of the scenarios: all begin from genesis. */
const blocks = scenarios.map(({ blocks }) => new Uint8Array(Buffer.from((blocks[0]?.data ?? '').slice(2), 'hex')));

/**
 * Fields that change nothing in the state, so that only the hash of the bytes covers them. Of a type, or of the header; a
 * fee's token matters when there is a fee, a rate when it makes a unit of difference.
 */
const outsideTheState: Readonly<Record<string, readonly string[]>> = {
  header: ['exchange', 'timestamp', 'protocolTakerFeeBips', 'protocolMakerFeeBips'],
  Withdrawal: ['kind', 'feeTokenId', 'storageId', 'onchainDataHash'],
  Transfer: ['feeTokenId'],
  AccountUpdate: ['feeTokenId'],
  SignatureVerification: ['data'],
  NftMintTo: ['storageId'],
  SpotTrade: ['flagsA', 'flagsB', 'feeHighA', 'feeHighB', 'boughtTokenA', 'boughtTokenB'],
};

function differences(before: Uint8Array, after: Uint8Array): string[] {
  const [old, now] = [decodeBlock(before), decodeBlock(after)];
  const fields = (label: string, a: object, b: object) =>
    Object.entries(a)
      .filter(([name, value]) => (b as Record<string, unknown>)[name] !== value)
      .map(([name]) => `${label}.${name}`);
  return [
    ...fields('header', old.header, now.header),
    ...old.transactions.flatMap((transaction, index) =>
      fields(transaction.type, transaction, now.transactions[index] as Transaction),
    ),
  ];
}

const mutated = (data: Uint8Array, at: number, mask: number): Uint8Array => {
  const copy = data.slice();
  copy[at] = (copy[at] as number) ^ mask;
  return copy;
};

describe('replay', () => {
  it('catches every changed byte that the state depends on', () => {
    let caught = 0;
    let named = 0;
    const cases = fuzz('changed byte', 150, (random) => {
      const data = random.pick(blocks);
      const wrong = mutated(data, random.index(data.length), 1 << random.index(8));
      try {
        replayBlock(new RollupState(), { data: wrong });
      } catch (error) {
        if (!(error instanceof RollupError)) throw error;
        caught++;
        if (error.transaction !== undefined) named++;
        return;
      }
      for (const difference of differences(data, wrong)) {
        const [label = '', field = ''] = difference.split('.');
        expect(outsideTheState[label] ?? [], difference).toContain(field);
      }
    });
    expect(caught).toBeGreaterThan(cases / 2);
    expect(named).toBeGreaterThan(cases / 4);
  });

  it('catches every changed byte when the hash of the bytes is known', () => {
    for (const data of blocks) {
      const hash = publicDataHash(data);
      for (let at = 0; at < data.length; at += 29)
        expect(() => replayBlock(new RollupState(), { data: mutated(data, at, 0x10), publicDataHash: hash })).toThrow(
          RollupError,
        );
    }
    const [first = new Uint8Array()] = blocks;
    const otherTime = mutated(first, 98 - 12, 1);
    expect(() => replayBlock(new RollupState(), { data: otherTime, publicDataHash: publicDataHash(first) })).toThrow(
      expect.objectContaining({ rule: 'public-data-hash' }),
    );
  });

  const [data] = blocks as [Uint8Array];
  const { header } = decodeBlock(data);

  it('accepts what is true of a block', () => {
    const { rootBefore, rootAfter, exchange } = header;
    const state = new RollupState();
    replayBlock(state, { data, rootBefore, rootAfter, exchange, publicDataHash: publicDataHash(data) });
    expect(state.root()).toBe(rootAfter);
  });

  it.each([
    ['root-before', { rootBefore: 1n }],
    ['root-after', { rootAfter: 1n }],
    ['exchange', { exchange: 1n }],
    ['public-data-hash', { publicDataHash: 1n }],
  ] as const)('refuses a block with %s', (rule, said) => {
    expect(() => replayBlock(new RollupState(), { data, ...said })).toThrow(expect.objectContaining({ rule }));
  });

  it('refuses a header with another root', () => {
    expect(() => replayBlock(new RollupState(), { data: mutated(data, 30, 1) })).toThrow(
      expect.objectContaining({ rule: 'root-before' }),
    );
    expect(() => replayBlock(new RollupState(), { data: mutated(data, 60, 1) })).toThrow(
      expect.objectContaining({ rule: 'root-after' }),
    );
  });
});
