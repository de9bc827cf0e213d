import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  applyBlock,
  decodeBlock,
  encodeBlock,
  publicDataHash,
  RollupError,
  RollupState,
  replayBlock,
  type Transaction,
  transactionLayouts,
} from '../../../src/protocol/rollup/index.ts';
import { fuzz } from '../../support/fuzz.ts';
import {
  accountUpdate,
  ammUpdate,
  BERT,
  HEADER,
  mint,
  mintTo,
  NFT_SLOT,
  nftPair,
  opening,
  ownerOf,
  trade,
  transfer,
  UNIT,
  withdrawal,
} from './support.ts';
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
 * Fields that change nothing in the state, so that only the hash of the bytes covers them. Of a
 * type, or of the header; a fee's token matters when there is a fee, a rate when it makes a unit of
 * difference.
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

/** A block from genesis on with every layout, and its roots. */
function everyType(): { readonly data: Uint8Array; readonly transactions: readonly Transaction[] } {
  const [minter, contract] = nftPair(BERT, { tokenId: NFT_SLOT + 1 });
  const transactions: Transaction[] = [
    // What moves nothing has no state that its token would change.
    ...opening.map((one): Transaction => (one.type === 'Deposit' ? { ...one, amount: one.amount || 1n } : one)),
    transfer(),
    transfer({ kind: 1, storageId: 2, toId: 20_000, to: ownerOf(20_000), from: ownerOf(10_001) }),
    trade(),
    accountUpdate(),
    ammUpdate(),
    { type: 'SignatureVerification', owner: ownerOf(BERT), accountId: BERT, data: 5n },
    mint({ storageId: 3 }),
    mintTo({ storageId: 4, toTokenId: NFT_SLOT + 1 }),
    ...[minter, contract],
    withdrawal({ storageId: 5 }),
    ...[minter, contract],
    withdrawal({ accountId: BERT, from: ownerOf(BERT), tokenId: NFT_SLOT + 1, amount: 2n, storageId: 6 }),
    withdrawal({ kind: 2, accountId: 20_000, from: ownerOf(20_000), amount: UNIT, fee: 0n, storageId: 0 }),
    { type: 'Noop' },
  ];
  const state = new RollupState();
  const rootBefore = state.root();
  applyBlock(state, decodeBlock(encodeBlock(HEADER, transactions)));
  return { data: encodeBlock({ ...HEADER, rootBefore, rootAfter: state.root() }, transactions), transactions };
}

/**
 * Where a byte of a block of `count` transactions stands: which transaction, which of its 68 bytes;
 * none for the header.
 */
function placeOf(at: number, count: number): { readonly index: number; readonly byte: number } | undefined {
  if (at < 98) return undefined;
  const [first, second] = [at - 98, at - 98 - 29 * count];
  return second < 0
    ? { index: Math.floor(first / 29), byte: first % 29 }
    : { index: Math.floor(second / 39), byte: 29 + (second % 39) };
}

const where = (place: ReturnType<typeof placeOf>, transactions: readonly Transaction[]) =>
  place ? `byte ${place.byte} of transaction ${place.index} (${transactions[place.index]?.type})` : 'the header';

/** Bytes of a transaction that its fields take, the type byte included. */
const bytesUsed = ({ type }: Transaction) =>
  Object.values(transactionLayouts[type]).reduce(
    (sum, size) => sum + (typeof size === 'number' ? size : size === 'float16' ? 2 : 3),
    1,
  );

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

  describe('a changed byte of a block with every type of transaction', () => {
    const { data: whole, transactions: every } = everyType();
    const known = publicDataHash(whole);
    const refusalOf = (said: Parameters<typeof replayBlock>[1]): RollupError | undefined => {
      try {
        replayBlock(new RollupState(), said);
        return undefined;
      } catch (error) {
        if (error instanceof RollupError) return error;
        throw error;
      }
    };

    it('is in a block that is true, and has every type', () => {
      expect(refusalOf({ data: whole, publicDataHash: known })).toBeUndefined();
      expect(new Set(every.map(({ type }) => type))).toEqual(new Set(Object.keys(transactionLayouts)));
    });

    it('is caught wherever it stands when the hash is known; type and unused bytes name their transaction', () => {
      fuzz('every byte', 1, (random) => {
        for (let at = 0; at < whole.length; at++) {
          const place = placeOf(at, every.length);
          const error = refusalOf({ data: mutated(whole, at, 1 + random.index(255)), publicDataHash: known });
          expect(error, where(place, every)).toBeInstanceOf(RollupError);
          if (place && place.byte >= bytesUsed(every[place.index] as Transaction))
            expect(error, where(place, every)).toMatchObject({ rule: 'canonical', transaction: place.index });
        }
        for (const index of every.keys())
          expect(refusalOf({ data: mutated(whole, 98 + 29 * index, 0x10) })).toMatchObject({
            rule: 'type',
            transaction: index,
          });
      });
      expect(refusalOf({ data: mutated(whole, 98 - 12, 1), publicDataHash: known })).toMatchObject({
        rule: 'public-data-hash',
        transaction: undefined,
      });
    });

    it('is caught wherever it stands without the hash, but in what changes no state', () => {
      const passed = new Set<string>();
      for (let at = 0; at < whole.length; at++) {
        const wrong = mutated(whole, at, 1 << (at % 8));
        if (refusalOf({ data: wrong })) continue;
        for (const difference of differences(whole, wrong)) {
          const [label = '', field = ''] = difference.split('.');
          expect(outsideTheState[label] ?? [], difference).toContain(field);
          passed.add(difference);
        }
      }
      // What only the hash covers.
      for (const field of ['header.exchange', 'header.timestamp', 'Withdrawal.onchainDataHash'])
        expect([...passed]).toContain(field);
    });
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
