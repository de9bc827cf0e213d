import { describe, expect, test } from 'vitest';
import type { FeeList, SignedFee } from '../../src/operations/feeBounds.ts';
import {
  contractFee,
  type FeePreference,
  type FeeQuote,
  type FeeSubject,
  feeFrom,
  feeOffers,
  feeRow,
  moveRows,
  totalWith,
} from '../../src/operations/fees.ts';
import type { Facts } from '../../src/operations/operation.ts';
import { answers } from '../../src/protocol/examples.ts';
import { feeRequestTypes } from '../../src/protocol/index.ts';
import { ACCOUNT_ID, type Answers, factsWith, feeAnswer, now, tokens } from './facts.ts';

const [ETH, LRC, USDT] = tokens as [(typeof tokens)[0], (typeof tokens)[0], (typeof tokens)[0]];
const { TRANSFER, WITHDRAWAL, OPEN_ACCOUNT } = feeRequestTypes;
const quotes = feeAnswer({ ETH: '30', LRC: '400' });

const balance = (tokenId: number, total: string, locked = '0') => ({
  ...{ tokenId, total, locked },
  pending: { withdraw: '0', deposit: '0' },
});
const pool = (...pooled: readonly (readonly [tokenId: number, volume: string])[]) => ({
  ...{ poolName: 'P', poolAddress: `0x${'9'.repeat(40)}`, lp: { tokenId: 100, volume: '1' }, risky: false },
  pooled: pooled.map(([tokenId, volume]) => ({ tokenId, volume })),
});

interface Known {
  readonly paid?: readonly SignedFee[];
  readonly listed?: FeeList;
  readonly answers?: Answers;
}
const factsOf = ({ paid = [], listed = {}, answers = {} }: Known): Facts => ({
  ...factsWith(answers),
  signedFees: async () => paid,
  listedFees: async () => listed,
});

const feeOf = (
  preference: FeePreference = {},
  subject: Partial<FeeSubject> = {},
  known: Known = {},
  fees = quotes,
): Promise<FeeQuote> => feeFrom(fees, preference, { requestType: TRANSFER, ...subject }, factsOf(known));
const boundsOf = async (subject: Partial<FeeSubject>, known: Known) => (await feeOf({}, subject, known)).bounds;

describe('the token that pays', () => {
  const moves = (tokenId: number) => ({ moved: { tokenId, volume: '1000' } });
  test.each([
    ['the moved one where it can', {}, moves(1), 1],
    ['the first of the quote when the moved one cannot', {}, moves(2), 0],
    ['the first of the quote when none is moved', {}, {}, 0],
    ['the one that was asked for', { feeTokenId: 1 }, moves(0), 1],
    ['the first one, whose id is 0, when it was asked for', { feeTokenId: 0 }, moves(1), 0],
  ])('is %s', async (_what, preference, subject, tokenId) => {
    const volume = tokenId === 1 ? '400' : '30';
    const { bounds: _, ...quote } = await feeOf(preference, subject);
    expect(quote).toEqual({ token: tokens[tokenId], volume, quote: volume, quotedAt: now });
  });

  // The quote is 30 ETH or 400 LRC.
  test.each<[string, Partial<FeeSubject>, Record<number, string>, number]>([
    ['the first that the balance covers', {}, { 0: '29', 1: '400' }, 1],
    ['the first when it covers none', {}, { 0: '29', 1: '399' }, 0],
    ['the moved one when it covers amount and fee', moves(1), { 0: '30', 1: '1400' }, 1],
    ['another when the moved one covers the amount alone', moves(1), { 0: '30', 1: '1399' }, 0],
    ['the moved one when the balance covers none', moves(1), { 0: '29', 1: '1399' }, 1],
  ])('is %s', async (_what, subject, totals, tokenId) => {
    const balances = Object.entries(totals).map(([id, total]) => balance(Number(id), total));
    const known = { answers: { getBalances: () => balances } };
    expect((await feeOf({}, subject, known)).token).toEqual(tokens[tokenId]);
    expect((await feeOf({ feeTokenId: 1 - tokenId }, subject, known)).token).toEqual(tokens[1 - tokenId]);
  });

  test('is one that something can be paid with: what open orders hold is none', async () => {
    const balances = [balance(0, '100', '71'), balance(1, '400')];
    expect((await feeOf({}, {}, { answers: { getBalances: () => balances } })).token).toEqual(LRC);
  });

  test('is the first of the quote while nobody knows the balances', async () => {
    expect(
      (await feeFrom(quotes, {}, { requestType: TRANSFER }, { ...factsOf({}), recent: async () => null })).token,
    ).toEqual(ETH);
  });

  test.each([
    ['of which the relayer has none', { feeTokenId: 9 }, quotes, 'maxFee.tokenId: the relayer lists no token 9'],
    ['that it quotes no fee in', { feeTokenId: 2 }, quotes, 'maxFee.tokenId: fees are not paid in token 2'],
    ['when it quotes nothing', {}, feeAnswer({}), 'maxFee.tokenId: the relayer quotes no fee'],
    [
      'when it quotes in unknown tokens alone',
      {},
      feeAnswer({ NEW: '1' }),
      'maxFee.tokenId: the relayer quotes no fee',
    ],
  ])('is never one %s', async (_what, preference, fees, message) => {
    await expect(feeOf(preference, {}, {}, fees)).rejects.toMatchObject({ name: 'IntentError', message });
  });

  test('is offered where the relayer lists it', async () => {
    expect(await feeOffers(feeAnswer({ NEW: '1', LRC: '400' }), factsWith())).toEqual([{ token: LRC, volume: '400' }]);
  });

  test('is offered for an amount as requests write it, and not for one that none can have', async () => {
    const [most, more] = [2n ** 96n - 1n, 2n ** 96n].map(String);
    const offered = await feeOffers(feeAnswer({ ETH: '0070', LRC: String(most), USDT: String(more) }), factsWith());
    expect(offered).toEqual([
      { token: ETH, volume: '70' },
      { token: LRC, volume: most },
    ]);
    expect(await feeOf({ feeTokenId: 0 }, {}, {}, feeAnswer({ ETH: '0070' }))).toMatchObject({
      volume: '70',
      quote: '70',
    });
  });
});

describe('the ceiling', () => {
  test('is the quote when none was named', async () => {
    expect(await feeOf()).toMatchObject({ volume: '30', quote: '30' });
  });

  test.each(['30', '31', '100'])('may be the quote of 30 and above: %s', async (maxFee) => {
    expect(await feeOf({ feeTokenId: 0, maxFee })).toMatchObject({
      ...{ volume: maxFee, quote: '30', token: ETH },
      bounds: { balance: expect.any(String) },
    });
  });

  // As text, 9 is more than 30.
  test.each(['29', '9', '0'])('is never below the quote of 30: %s', async (maxFee) => {
    await expect(feeOf({ feeTokenId: 0, maxFee })).rejects.toMatchObject({
      name: 'IntentError',
      message: "maxFee: is below the relayer's quote of 30",
    });
  });
});

const paid = (volume: string, tokenId = 0, requestType: number = TRANSFER): SignedFee => ({
  requestType,
  tokenId,
  volume,
});

describe('the usual fee', () => {
  const usualOf = async (known: Known, requestType: number = TRANSFER) =>
    (await boundsOf({ requestType }, known))?.usual;

  test.each([
    [['7']],
    [['7', '900']],
    [['900', '7', '1']],
    [['7', '80', '900', '1']],
    // The tenth is not looked at.
    [['7', '1', '1', '1', '1', '900', '900', '900', '900', '900']],
    [['1', '1', '1', '1', '7', '900', '900', '900', '900', '1', '1', '1']],
  ])('is the median of what was paid lately: 7 of %j', async (volumes) => {
    expect(await usualOf({ paid: volumes.map((volume) => paid(volume)) })).toEqual({ volume: '7', source: 'paid' });
  });

  test('is that of the same kind of request', async () => {
    const others = Array.from({ length: 9 }, () => paid('900', 0, WITHDRAWAL));
    expect(await usualOf({ paid: [...others, paid('7')] })).toEqual({ volume: '7', source: 'paid' });
    expect(await usualOf({ paid: others })).toBeUndefined();
  });

  test.each<[string, FeeList, { volume: string; source: 'paid' } | undefined]>([
    ['the listed ones', { [TRANSFER]: { 0: '3', 1: '40' } }, { volume: '7', source: 'paid' }],
    ['those listed for another kind', { [WITHDRAWAL]: { 0: '3', 1: '40' } }, { volume: '7', source: 'paid' }],
    [
      'the first kind that lists both tokens above zero',
      { 1: { 0: '0', 1: '40' }, 2: { 0: '3', 1: '0' }, 3: { 0: '3' }, 4: { 1: '40' }, 5: { 0: '3', 1: '40' } },
      { volume: '7', source: 'paid' },
    ],
    ['no list', {}, undefined],
    ['a list without the token', { [WITHDRAWAL]: { 1: '40' } }, undefined],
  ])('in another token is worth as much as %s say', async (_what, listed, usual) => {
    expect(await usualOf({ paid: [paid('100', 1)], listed })).toEqual(usual);
  });

  test('leaves out what cannot be compared', async () => {
    expect(await usualOf({ paid: [paid('900', 2), paid('7'), paid('900', 2)] })).toEqual({
      volume: '7',
      source: 'paid',
    });
  });

  test('is the listed one before anything was paid', async () => {
    expect(await usualOf({ listed: { [TRANSFER]: { 0: '12', 1: '5' } } })).toEqual({ volume: '12', source: 'listed' });
    expect(await usualOf({ listed: { [WITHDRAWAL]: { 0: '12' } } })).toBeUndefined();
    expect(await usualOf({ listed: { [TRANSFER]: { 1: '12' } } })).toBeUndefined();
  });

  test.each([
    ['a transfer', 'TRANSFER', 'TRANSFER_AND_ACTIVATE'],
    ['a transfer of an NFT', 'NFT_TRANSFER', 'NFT_TRANSFER_AND_ACTIVATE'],
  ] as const)('of %s that activates its receiver is the sum of two listed ones', async (_what, move, both) => {
    const of = (listed: FeeList) => usualOf({ listed }, feeRequestTypes[both]);
    const [moves, opens] = [{ [feeRequestTypes[move]]: { 0: '12' } }, { [OPEN_ACCOUNT]: { 0: '30' } }];
    expect(await of({ ...moves, ...opens })).toEqual({ volume: '42', source: 'listed' });
    expect(await of(moves)).toBeUndefined();
    expect(await of(opens)).toBeUndefined();
  });
});

describe('a fee for an NFT, which no exchange lists, is measured by the listed one for a token', () => {
  const { NFT_MINT, NFT_TRANSFER, NFT_WITHDRAWAL, NFT_TRANSFER_AND_ACTIVATE, NFT_DEPLOY } = feeRequestTypes;
  const listed = { [TRANSFER]: { 0: '10' }, [WITHDRAWAL]: { 0: '20' }, [OPEN_ACCOUNT]: { 0: '5' } };
  test.each([
    [NFT_MINT, '10'],
    [NFT_TRANSFER, '10'],
    [NFT_WITHDRAWAL, '20'],
    [NFT_TRANSFER_AND_ACTIVATE, '15'],
    [NFT_DEPLOY, undefined],
    [TRANSFER, undefined],
  ])('kind %i', async (requestType, ofTokens) => {
    expect((await boundsOf({ requestType }, { listed }))?.ofTokens).toBe(ofTokens);
  });

  test('unless the account has paid one before, the exchange lists it all the same, or it lists no token', async () => {
    const subject = { requestType: NFT_TRANSFER };
    const paid = [{ ...subject, tokenId: 0, volume: '9' }];
    expect(await boundsOf(subject, { listed, paid })).not.toHaveProperty('ofTokens');
    const both = { ...listed, [NFT_TRANSFER]: { 0: '11' } };
    expect(await boundsOf(subject, { listed: both })).toMatchObject({ usual: { volume: '11', source: 'listed' } });
    expect(await boundsOf(subject, { listed: both })).not.toHaveProperty('ofTokens');
    expect(await boundsOf(subject, { listed: { [TRANSFER]: { 1: '10' } } })).not.toHaveProperty('ofTokens');
    // What is free for a token is no measure.
    expect(await boundsOf(subject, { listed: { [TRANSFER]: { 0: '0' } } })).not.toHaveProperty('ofTokens');
  });
});

describe('the balance that a fee is measured by', () => {
  /** The fee is paid in ether. */
  const balanceOf = async (rows: unknown, received?: string) =>
    (
      await feeOf({ feeTokenId: 0 }, received === undefined ? {} : { received }, {
        answers: { getBalances: ({ query }) => (query?.accountId === ACCOUNT_ID ? rows : null) },
      })
    ).bounds?.balance;

  test.each([
    ['what is free of the fee token', [balance(1, '900'), balance(0, '100', '30')], undefined, '70'],
    ['with what the request itself brings', [balance(0, '100', '30')], '5', '75'],
    ['only what the request brings, where nothing is held', [balance(1, '900')], '5', '5'],
    ['nothing where nothing is held', [], undefined, '0'],
    ['nothing where more is locked than held', [balance(0, '100', '130')], '5', '0'],
    ['unknown when the relayer does not tell', null, '5', undefined],
  ])('is %s', async (_what, rows, received, result) => {
    expect(await balanceOf(rows, received)).toBe(result);
  });
});

describe('the moved amount that a fee is measured by', () => {
  /** The fee is paid in ether. */
  const movedOf = async (tokenId: number, volume: string, known: Known) =>
    (
      await feeFrom(
        quotes,
        { feeTokenId: 0 },
        { requestType: TRANSFER, moved: { tokenId, volume } },
        factsOf({ ...known, answers: { ...known.answers } }),
      )
    ).bounds?.moved;
  const pools = (...given: object[]): Known => ({ answers: { getAmmBalances: () => given } });

  test('is itself in the fee token', async () => {
    expect(await movedOf(0, '123', {})).toBe('123');
  });

  test('is absent where nothing is moved, or nothing tells its worth', async () => {
    expect(await boundsOf({}, {})).not.toHaveProperty('moved');
    expect(await movedOf(1, '100', {})).toBeUndefined();
    expect(await movedOf(1, '100', pools())).toBeUndefined();
  });

  test('is what the listed fees say, whatever pools say', async () => {
    const listed = { [TRANSFER]: { 0: '3', 1: '40' } };
    expect(await movedOf(1, '100', { listed, ...pools(pool([1, '100'], [0, '100'])) })).toBe('7');
  });

  test.each([
    ['a pool of both', [pool([1, '1000'], [0, '100'])], '10'],
    ['a pool that lists them the other way', [pool([0, '100'], [1, '1000'])], '10'],
    ['a pool of both before two over a third token', [twoHops(), pool([1, '1000'], [0, '100'])].flat(), '10'],
    ['two pools over a third token', twoHops(), '7'],
    ['two pools, the first of which leads nowhere', [pool([1, '9'], [100, '9']), ...twoHops()], '7'],
    ['an empty pool', [pool([1, '0'], [0, '100'])], undefined],
    ['an empty pool beside a full one', [pool([1, '0'], [0, '100']), pool([1, '1000'], [0, '100'])], '10'],
    ['a pool of others', [pool([2, '1000'], [0, '100'])], undefined],
    ['a pool of one token', [pool([1, '1000'])], undefined],
    ['a pool of none beside another', [pool(), pool([1, '1000'], [0, '100'])], '10'],
    ['two pools that do not meet', [pool([1, '1000'], [2, '20']), pool([100, '20'], [0, '1'])], undefined],
  ])('is what %s gives for it', async (_what, given, result) => {
    expect(await movedOf(1, '100', pools(...given))).toBe(result);
  });

  const listedAs = (status: object) => ({
    getAmmPools: () => ({
      pools: [{ ...answers.getAmmPools.pools[0], ...{ address: dead.poolAddress, status: undefined }, ...status }],
    }),
  });
  const dead = { ...pool([1, '1000'], [0, '70']), poolAddress: `0x${'dE'.repeat(20)}` };
  test.each([
    ['a closed pool', '10', dead, { status: 9 }],
    ['a pool without a status', '7', dead, {}],
    ['a pool that takes swaps', '7', dead, { status: 12 }],
    ['a pool that everybody has left', '10', { ...dead, lp: { tokenId: 100, volume: '0' } }, { status: 15 }],
  ])('behind %s is %s', async (_what, result, first, status) => {
    const { answers } = pools(first, pool([1, '1000'], [0, '100']));
    expect(await movedOf(1, '100', { answers: { ...answers, ...listedAs(status) } })).toBe(result);
  });

  /** 100 LRC give 20 USDT, which give 7 wei. */
  function twoHops() {
    return [pool([1, '1000'], [2, '200']), pool([2, '40'], [0, '14'])];
  }
});

test('the quote of a request about an NFT contract names the contract where there is one', async () => {
  const asked: unknown[] = [];
  const facts = factsWith({
    getNftOffchainFee: ({ query }) => {
      asked.push(query);
      return quotes;
    },
  });
  const tokenAddress = `0x${'1'.repeat(40)}`;
  expect(await contractFee(11, tokenAddress, facts)).toEqual(quotes);
  await contractFee(13, undefined, facts);
  expect(asked).toStrictEqual([
    { accountId: ACCOUNT_ID, requestType: 11, tokenAddress },
    { accountId: ACCOUNT_ID, requestType: 13 },
  ]);
});

describe('what is shown of a fee', () => {
  const fee: FeeQuote = { token: ETH, volume: '30', quote: '30', quotedAt: now };
  const amount = (volume: string, token = ETH) => ({ kind: 'amount', volume, token }) as const;

  test('is the most that is signed, beside the quote where that is another amount', () => {
    expect(feeRow(fee)).toEqual({ label: { key: 'review_fee' }, value: amount('30') });
    expect(feeRow({ ...fee, volume: '50' })).toEqual({
      label: { key: 'review_fee' },
      value: amount('50'),
      note: { key: 'review_feeNote', values: { quote: amount('30'), time: { kind: 'time', seconds: now } } },
    });
  });

  test('is part of what leaves when it is paid in the moved token', () => {
    const moved = { tokenId: 0, volume: '100' };
    expect(totalWith(fee, moved)).toEqual(amount('130'));
    expect(totalWith({ ...fee, volume: '0' }, moved)).toBeUndefined();
    expect(totalWith(fee, { tokenId: USDT.tokenId, volume: '100' })).toBeUndefined();
    const row = { emphasis: 'pay', leaves: true };
    expect(moveRows('review_send', amount('100'), fee, undefined)).toEqual([
      { label: { key: 'review_send' }, value: amount('100'), ...row },
    ]);
    expect(moveRows('review_send', amount('100'), fee, amount('130'))).toEqual([
      {
        ...{ label: { key: 'review_leaves' }, value: amount('130'), ...row },
        note: { key: 'review_withFee', values: { gross: amount('100'), fee: amount('30') } },
      },
    ]);
  });
});
