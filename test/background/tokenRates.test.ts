import { expect, test } from 'vitest';
import { rateOf, shareRates, tokenRates } from '../../src/background/relayers/tokenRates.ts';
import { eth, lrc, points, usdt } from '../ui/support/fixtures.ts';

const rate = (price: string): bigint => rateOf(price) as bigint;
const tokens = [eth, lrc, usdt, points];
const listed = new Map([
  [eth.tokenId, rate('3000')],
  [lrc.tokenId, rate('0.2')],
  [usdt.tokenId, rate('1.001')],
]);
const move = (base: typeof eth, quote: typeof eth, open: string, close: string) => ({
  baseTokenId: base.tokenId,
  quoteTokenId: quote.tokenId,
  open: rate(open),
  close: rate(close),
});

const about = (worth: bigint): number => Number((Number(worth) / 1e30).toPrecision(12));
/** Numbers are enough to compare what is only looked at. */
const numbers = (rates: ReturnType<typeof tokenRates>) =>
  Object.fromEntries(
    [...rates].map(([tokenId, { now, before }]) => [
      tokens.find((token) => token.tokenId === tokenId)?.symbol,
      [about(now), before === null ? null : about(before)],
    ]),
  );

test.each([
  ['0.3821', 382_100_000_000_000_000_000_000_000_000n],
  ['.5', 5n * 10n ** 29n],
  ['3.5669E-4', 35_669n * 10n ** 22n],
  [0.25, 25n * 10n ** 28n],
  [1e-7, 10n ** 23n],
  ['1e-30', 1n],
  ['1e-31', null],
  ['0', null],
  ['', null],
  ['-1', null],
  ['1e99', null],
  ['1000000000000', null],
  ['1.2.3', null],
  ['0x10', null],
])('reads the price %s', (price, expected) => {
  expect(rateOf(price)).toBe(expected);
});

test('the list says what tokens are worth today, the markets how that moved', () => {
  const moves = [move(lrc, eth, '0.00005', '0.0001'), move(eth, usdt, '2000', '2500')];
  expect(numbers(tokenRates({ currency: 'USD', tokens, listed, moves }))).toEqual({
    ETH: [3000, 2400],
    LRC: [0.2, 0.08],
    USDT: [1.001, 1.001],
  });
});

test('a token without a listed price is priced over its market, from either side of it', () => {
  const moves = [move(points, eth, '1', '2'), move(usdt, points, '0.1', '0.25')];
  const only = new Map([[eth.tokenId, rate('3000')]]);
  expect(numbers(tokenRates({ currency: 'USD', tokens, listed: only, moves }))).toEqual({
    ETH: [3000, null],
    PTS: [6000, null],
    USDT: [1500, null],
  });
});

test('in a token the list is turned into it, and its own markets tell the day before', () => {
  const moves = [move(lrc, eth, '0.00004', '0.00005')];
  expect(numbers(tokenRates({ currency: 'ETH', tokens, listed, moves }))).toEqual({
    ETH: [1, 1],
    LRC: [expect.closeTo(0.2 / 3000, 12), expect.closeTo((0.2 / 3000) * 0.8, 12)],
    USDT: [expect.closeTo(1.001 / 3000, 12), null],
  });
});

test('in a token that is not listed the markets alone count', () => {
  expect(numbers(tokenRates({ currency: 'PTS', tokens, listed, moves: [move(eth, points, '10', '20')] }))).toEqual({
    PTS: [1, 1],
    ETH: [20, 10],
  });
});

test('a currency that the exchange does not have gives no rate, and a stable token that lost its peg tells no yesterday', () => {
  const moves = [move(eth, usdt, '2000', '2500')];
  expect(tokenRates({ currency: 'XYZ', tokens, listed, moves }).size).toBe(0);
  const fallen = new Map(listed).set(usdt.tokenId, rate('0.98'));
  expect(numbers(tokenRates({ currency: 'USD', tokens, listed: fallen, moves })).ETH).toEqual([3000, null]);
});

const lp = { ...points, tokenId: 100, symbol: 'LP-LRC-ETH', decimals: 8 };
const pool = (base: bigint, quote: bigint, supply: bigint) => ({
  pooled: [
    { tokenId: lrc.tokenId, volume: (base * 10n ** 18n).toString() },
    { tokenId: eth.tokenId, volume: (quote * 10n ** 18n).toString() },
  ],
  lp: { tokenId: lp.tokenId, volume: (supply * 10n ** 8n).toString() },
});
const withYesterday = new Map([
  [eth.tokenId, { now: rate('3000'), before: rate('3000') }],
  [lrc.tokenId, { now: rate('0.2'), before: rate('0.05') }],
]);
const shareOf = (...pools: readonly ReturnType<typeof pool>[]) => shareRates(pools, [...tokens, lp], withYesterday);

test('a share of a pool is worth its part of what the pool holds, and moved as a share of such a pool moves', () => {
  // 15,000 LRC and 1 ETH, 6,000 in all, for 100 LP; LRC rose to its fourfold, so the share to its
  // twofold.
  const share = shareOf(pool(15_000n, 1n, 100n)).get(lp.tokenId);
  expect(about(share?.now ?? 0n)).toBe(60);
  expect(about(share?.before ?? 0n)).toBe(30);
});

test('a share without a price of both tokens, without a supply or of an unknown token is worth nothing that could be told', () => {
  expect(shareOf(pool(15_000n, 1n, 0n)).size).toBe(0);
  expect(shareOf(pool(0n, 0n, 100n)).size).toBe(0);
  expect(shareRates([pool(15_000n, 1n, 100n)], tokens, withYesterday).size).toBe(0);
  const half = new Map([...withYesterday].slice(0, 1));
  expect(shareRates([pool(15_000n, 1n, 100n)], [...tokens, lp], half).size).toBe(0);
});

test('a share tells no yesterday when one of its tokens has none', () => {
  const rates = new Map(withYesterday).set(eth.tokenId, { now: rate('3000'), before: null as never });
  expect(shareRates([pool(15_000n, 1n, 100n)], [...tokens, lp], rates).get(lp.tokenId)).toMatchObject({ before: null });
});
