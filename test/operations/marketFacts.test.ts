import { describe, expect, test } from 'vitest';
import {
  comparedPrice,
  isPriced,
  lastTradeRow,
  limitRows,
  lossAgainstPool,
  lostAgainstPool,
  marketFacts,
  marketPrices,
  overdueAtOf,
  poolPriceRow,
} from '../../src/operations/marketFacts.ts';
import type { Facts } from '../../src/operations/operation.ts';
import { ACCOUNT_ID, factsWith, now, token } from './facts.ts';

const ETH = token(0, 'ETH', 18);
const LRC = token(1, 'LRC', 18);
const USDT = token(2, 'USDT', 6);

/** What `recent` gives, by endpoint; each question is noted with its age. */
function answering(answers: Record<string, unknown>) {
  const asked: unknown[] = [];
  const recent: Facts['recent'] = async (name, input, age) => {
    asked.push([name, input, age]);
    return (answers[name] ?? null) as never;
  };
  return { facts: { ...factsWith(), recent }, asked };
}
const pool = (...pooled: readonly (readonly [tokenId: number, volume: string])[]) => ({
  poolAddress: '0xAa',
  pooled: pooled.map(([tokenId, volume]) => ({ tokenId, volume })),
  lp: { tokenId: 100, volume: '1' },
});
const pricesOf = (answers: Record<string, unknown>) => marketPrices('LRC-ETH', LRC, ETH, answering(answers).facts);

describe('the prices of a market', () => {
  const given = { pool: { sell: '1000', buy: '100' } };
  test.each([
    ['the pool of both', [pool([1, '1000'], [0, '100'])], given],
    ['the pool that lists them the other way', [pool([0, '100'], [1, '1000'])], given],
    [
      'the first pool of both',
      [pool([1, '9'], [2, '9']), pool([1, '1000'], [0, '100']), pool([1, '2'], [0, '1'])],
      given,
    ],
    ['a pool behind an empty one', [pool([1, '0'], [0, '100']), pool([1, '1000'], [0, '100'])], given],
    ['a pool behind a drained one', [pool([1, '1000'], [0, '0']), pool([1, '1000'], [0, '100'])], given],
    ['no pool', [], {}],
    ['no pool of both', [pool([1, '9'], [2, '9']), pool([2, '9'], [0, '9'])], {}],
    ['a pool without one of them, in other digits', [pool([1, '00'], [0, '100'])], {}],
    [
      'a pool behind a risky one',
      [{ ...pool([1, '1000'], [0, '70']), risky: true }, pool([1, '1000'], [0, '100'])],
      given,
    ],
    ['a risky pool, as such', [{ ...pool([1, '1000'], [0, '100']), risky: true }], { risky: given.pool }],
    ['pools that did not come', null, { poolUnknown: true }],
  ])('are those of %s', async (_what, getAmmBalances, prices) => {
    expect(await pricesOf({ getAmmBalances })).toStrictEqual(prices);
  });

  const [dead, alive] = [
    { ...pool([1, '1000'], [0, '70']), poolAddress: '0xDEAD' },
    { ...pool([1, '1000'], [0, '100']), poolAddress: '0xA11E' },
  ];
  const open = { address: '0xa11e', status: 15 };
  const left = { ...dead, lp: { tokenId: 100, volume: '0' } };
  test.each([
    ['a pool behind a closed one', [dead, alive], [{ address: '0xdead', status: 9 }, open], given],
    [
      'a pool that takes swaps and no joins',
      [dead, alive],
      [
        { address: '0xdead', status: 11 },
        { ...open, status: 4 },
      ],
      given,
    ],
    ['no closed pool', [dead], [{ address: '0xdead', status: 0 }], {}],
    ['a pool behind one that everybody has left', [left, alive], [{ address: '0xdead', status: 15 }, open], given],
    ['no pool that everybody has left, without a list', [left], null, {}],
    ['a pool that is listed without a status', [alive, dead], [{ address: '0xa11e' }], given],
    ['a pool that is not listed', [alive, dead], [], given],
    ['a pool whose list did not come', [alive, dead], null, given],
  ])('are those of %s', async (_what, getAmmBalances, pools, prices) => {
    expect(await pricesOf({ getAmmBalances, getAmmPools: pools && { pools } })).toStrictEqual(prices);
  });

  const at = String(now * 1000 + 999);
  test.each([
    ['0.05', { price: '0.05', at: now }],
    ['12', { price: '12', at: now }],
    [`${'9'.repeat(30)}.${'9'.repeat(40)}`, { price: `${'9'.repeat(30)}.${'9'.repeat(40)}`, at: now }],
    ['0', undefined],
    ['0.00', undefined],
    ['1.', { price: '1', at: now }],
    ['.5', { price: '0.5', at: now }],
    ['1e5', { price: '100000', at: now }],
    ['-1', undefined],
    ['1 ', undefined],
    ['x1', undefined],
    ['9'.repeat(31), undefined],
    [`1.${'9'.repeat(41)}`, undefined],
    [undefined, undefined],
  ])('have the account’s last trade at %j', async (price, lastTrade) => {
    const trades = [[at, 'id', 'SELL', '5', price]];
    expect(await pricesOf({ getAmmBalances: [], getUserTrades: { trades } })).toStrictEqual(
      lastTrade ? { lastTrade } : {},
    );
  });

  test.each(['', 'x', '1x', '-1', '1.5', '9'.repeat(17)])('have no trade of the time %j', async (time) => {
    const trades = [[time, 'id', 'SELL', '5', '0.05']];
    expect(await pricesOf({ getAmmBalances: [], getUserTrades: { trades } })).toStrictEqual({});
  });

  test('have no trade where there was none', async () => {
    expect(await pricesOf({ getAmmBalances: [], getUserTrades: { trades: [] } })).toStrictEqual({});
  });

  test('answer without the user by the pool, or by a trade where there is surely no pool', () => {
    const lastTrade = { price: '1', at: now };
    expect(isPriced({})).toBe(false);
    expect(isPriced(given)).toBe(true);
    expect(isPriced({ lastTrade })).toBe(true);
    expect(isPriced({ poolUnknown: true })).toBe(false);
    expect(isPriced({ lastTrade, poolUnknown: true })).toBe(false);
    expect(isPriced({ ...given, lastTrade })).toBe(true);
    expect(isPriced({ risky: given.pool })).toBe(false);
    expect(isPriced({ risky: given.pool, lastTrade })).toBe(false);
  });
});

test('beside a risky pool the price warns that gets more, and the pool is not shown', () => {
  const risky = { sell: '1000', buy: '100' };
  const against = (price: string, bought: string) =>
    comparedPrice({ risky, lastTrade: { price, at: now } }, [LRC, '1000'], [ETH, bought], ETH.tokenId);
  for (const [price, bought, loss, isPool] of [
    ['0.05', '50', 5000, true],
    ['0.2', '50', 7500, false],
    ['0.05', '100', 0, true],
    ['0.05', '200', -10_000, true],
  ] as const) {
    const { shown, market } = against(price, bought);
    expect(shown.map(({ row }) => row.label.key)).toEqual(['review_lastTrade']);
    expect([market?.loss, market?.pool]).toEqual([loss, isPool ? risky : undefined]);
  }
});

describe('the facts about an order', () => {
  const sell = { token: LRC, volume: '700' };
  const buy = { token: ETH, volume: '70' };
  const factsOf = (answers: Record<string, unknown>) =>
    marketFacts('LRC-ETH', sell, buy, answering({ getAmmBalances: [], ...answers }).facts);
  const rates = (row: object, more: object = {}) => ({ amounts: [{ tokenSymbol: 'LRC' }, row], ...more });

  test.each([
    [
      rates(
        { tokenSymbol: 'ETH', baseOrderInfo: { minAmount: '1' }, userOrderInfo: { minAmount: '2' } },
        { cacheOverdueAt: now },
      ),
      { amount: '70', token: ETH, rate: 0, least: '1', usual: '2', overdueAt: now * 1000 },
    ],
    [rates({ tokenSymbol: 'ETH' }), { amount: '70', token: ETH, rate: 0 }],
    [rates({ tokenSymbol: 'USDT' }), undefined],
    [{}, undefined],
    [null, undefined],
  ])('have the minima of what is bought: %j', async (getOrderUserRateAmount, limits) => {
    expect(await factsOf({ getOrderUserRateAmount })).toStrictEqual(limits ? { limits } : {});
  });

  test.each([
    ['the rate of a taker', { takerRate: 20, makerRate: 5 }, {}, 20],
    ['the rate of a maker that is higher', { takerRate: 20, makerRate: 30 }, {}, 30],
    ['the usual rate at the least amount for it', { takerRate: 20, minAmount: '70' }, { tradeCost: '7' }, 20],
    // 0.28 of 70, and 0.2801 rounded up.
    ['what a small order pays', { takerRate: 20, minAmount: '71' }, { tradeCost: '28' }, 4000],
    ['what a small order pays, rounded up', { takerRate: 20, minAmount: '71' }, { tradeCost: '29' }, 4143],
    ['the usual rate where that covers the cost', { takerRate: 4001, minAmount: '71' }, { tradeCost: '28' }, 4001],
    ['the usual rate where no cost is named', { takerRate: 20, minAmount: '71' }, {}, 20],
  ])('have %s', async (_what, userOrderInfo, more, rate) => {
    const getOrderUserRateAmount = rates({ tokenSymbol: 'ETH', userOrderInfo, ...more });
    expect((await factsOf({ getOrderUserRateAmount })).limits?.rate).toBe(rate);
  });

  test.each([
    [
      [{ tokenId: 0 }, { tokenId: 1, orderAmounts: { minimum: '3', maximum: '900', dust: '1' } }],
      { amount: '700', token: LRC, least: '3', largest: '900' },
    ],
    [[{ tokenId: 0, orderAmounts: { minimum: '3', maximum: '900' } }], undefined],
    [[{ tokenId: 1 }], undefined],
    [null, undefined],
  ])('have the limits of what is sold: %j', async (getTokens, sold) => {
    expect(await factsOf({ getTokens })).toStrictEqual(sold ? { sold } : {});
  });

  test('are asked for this account and market, no older than half a minute; the list of tokens a quarter of an hour', async () => {
    const { facts, asked } = answering({ getAmmBalances: [pool([1, '1000'], [0, '100'])] });
    expect(await marketFacts('LRC-ETH', sell, buy, facts)).toStrictEqual({ pool: { sell: '1000', buy: '100' } });
    const query = { accountId: ACCOUNT_ID, market: 'LRC-ETH' };
    expect(asked).toHaveLength(5);
    expect(asked).toEqual(
      expect.arrayContaining([
        ['getAmmBalances', {}, 30],
        ['getAmmPools', {}, 900],
        ['getOrderUserRateAmount', { query }, 30],
        ['getUserTrades', { query: { ...query, limit: 1 } }, 30],
        ['getTokens', {}, 900],
      ]),
    );
  });

  test('have times in seconds and in milliseconds', () => {
    expect(overdueAtOf(now)).toBe(now * 1000);
    expect(overdueAtOf(99_999_999_999)).toBe(99_999_999_999_000);
    expect(overdueAtOf(100_000_000_000)).toBe(100_000_000_000);
  });
});

describe('the distance from the pool', () => {
  const held = { sell: '1000', buy: '100' };
  test.each([
    ['100', '10', 0, 0n],
    ['100', '9', 1000, 1n],
    ['100', '11', -1000, -1n],
    // What is lost is rounded up, against the pool.
    ['105', '10', 476, 1n],
    ['101', '10', 99, 1n],
    ['110', '11', 0, 0n],
  ])('of %s sold for %s is %s ten-thousandths', (sell, buy, loss, lost) => {
    expect(lossAgainstPool(held, sell, buy)).toBe(loss);
    expect(lostAgainstPool(held, sell, buy)).toBe(lost);
  });

  test.each([
    [1, 'review_priceWorse', 1],
    [0, 'review_priceBetter', 0],
    [-5, 'review_priceBetter', 5],
  ])('of %s is said beside the pool’s price, in either direction', (loss, key, bips) => {
    const note = { key, values: { distance: { kind: 'bips', bips } } };
    const value = { kind: 'price', exact: true };
    expect(poolPriceRow(held, loss, false, LRC, ETH)).toEqual({
      ...{ label: { key: 'review_poolPrice' }, note },
      value: { ...value, value: '0.1', quote: 'ETH', base: 'LRC' },
    });
    expect(poolPriceRow(held, loss, true, LRC, ETH)).toEqual({
      ...{ label: { key: 'review_poolPrice' }, note },
      value: { ...value, value: '10', quote: 'LRC', base: 'ETH' },
    });
  });
});

describe('the distance from the last trade', () => {
  const LRC_5 = '5000000000000000000';
  const rowOf = (price: string, sold: [typeof LRC, string], bought: [typeof LRC, string], quoteTokenId = 2) =>
    lastTradeRow({ price, at: now }, sold, bought, quoteTokenId);

  test.each<[string, [typeof LRC, string], [typeof LRC, string], number]>([
    // 5 LRC for USDT, and USDT for 5 LRC; the trade gave 2.5 USDT for one.
    ['2.5', [LRC, LRC_5], [USDT, '12500000'], 0],
    ['2.5', [LRC, LRC_5], [USDT, '10000000'], 2000],
    ['2.5', [LRC, LRC_5], [USDT, '15000000'], -2000],
    ['2.5', [USDT, '12500000'], [LRC, LRC_5], 0],
    ['2.5', [USDT, '15000000'], [LRC, LRC_5], 1666],
    ['2.5', [USDT, '10000000'], [LRC, LRC_5], -2500],
    ['2', [LRC, LRC_5], [USDT, '5000000'], 5000],
    ['0.25', [LRC, LRC_5], [USDT, '1250000'], 0],
  ])('at %s of %j for %j is %s ten-thousandths', (price, sold, bought, loss) => {
    const { row, loss: found } = rowOf(price, sold, bought);
    expect(found).toBe(loss);
    expect(row).toStrictEqual({
      label: { key: 'review_lastTrade' },
      value: { kind: 'price', value: price, exact: true, quote: 'USDT', base: 'LRC' },
      note: {
        key: loss > 0 ? 'review_lastTradeWorse' : 'review_lastTradeBetter',
        values: { distance: { kind: 'bips', bips: Math.abs(loss) }, time: { kind: 'time', seconds: now } },
      },
    });
  });
});

test('both least amounts are shown where both are known', () => {
  expect(limitRows({ amount: '1', least: '3', usual: '4' }, ETH)).toStrictEqual([
    {
      label: { key: 'review_leastAmount' },
      value: { kind: 'amount', volume: '4', token: ETH },
      detail: true,
      note: { key: 'review_leastAmountNote', values: { amount: { kind: 'amount', volume: '3', token: ETH } } },
    },
  ]);
  expect(limitRows({ amount: '1', least: '3' }, ETH)).toEqual([]);
  expect(limitRows({ amount: '1', usual: '4' }, ETH)).toEqual([]);
});
