import { describe, expect, test } from 'vitest';
import {
  allowsOrders,
  cancelFits,
  comparePrices,
  digitsOf,
  type LimitedOrder,
  orderFits,
  type StandingMarket,
  type StandingTerms,
  standingOperations,
} from '../../src/operations/standing.ts';
import { now, token } from './facts.ts';

const eth = token(0, 'ETH', 18);
const usdt = token(2, 'USDT', 6);

const terms: StandingTerms = {
  operations: ['submitOrder', 'cancelOrder'],
  sellTokenId: 0,
  buyTokenId: 2,
  orderVolume: '5000000000000000000',
  totalVolume: '9000000000000000000',
  rate: { requests: 10, seconds: 60 },
  validUntil: now + 3_600,
};
/** Sells ETH for USDT, and the other way round. */
const sale: StandingMarket = { sell: eth, buy: usdt, market: 'ETH-USDT', side: 'SELL' };
const purchase: StandingMarket = { sell: usdt, buy: eth, market: 'ETH-USDT', side: 'BUY' };
const buying: StandingTerms = { ...terms, sellTokenId: 2, buyTokenId: 0, orderVolume: '9000000000' };

/** 2 ETH for so many USDT, in base units of six decimals. */
const order = (usdtVolume: number, changes: Partial<LimitedOrder> = {}): LimitedOrder => ({
  sellToken: { tokenId: 0, volume: '2000000000000000000' },
  buyToken: { tokenId: 2, volume: `${usdtVolume}` },
  validUntil: now + 60,
  ...changes,
});
const turned = ({ sellToken, buyToken, ...rest }: LimitedOrder): LimitedOrder => ({
  ...rest,
  sellToken: buyToken,
  buyToken: sellToken,
});

test('no operation is answered that moves funds elsewhere, changes a key or names an NFT', () => {
  expect(standingOperations).toEqual(['submitOrder', 'cancelOrder']);
  expect(allowsOrders(terms)).toBe(true);
  expect(allowsOrders({ operations: ['cancelOrder'] })).toBe(false);
});

test('prices as decimal text are compared by their value, whatever their digits', () => {
  expect(digitsOf('12.050')).toEqual({ value: 12_050n, scale: 1_000n });
  expect(digitsOf('7')).toEqual({ value: 7n, scale: 1n });
  for (const [a, b, result] of [
    ['1', '1.000', 0],
    ['0.3', '0.30', 0],
    ['2', '10', -1],
    ['10', '2', 1],
    ['0.0999', '0.1', -1],
    ['0.1', '0.0999', 1],
    ['3', '2.9999', 1],
    ['2.9999', '3', -1],
  ] as const)
    expect(comparePrices(a, b), `${a} and ${b}`).toBe(result);
});

describe('an order is within the limits', () => {
  test('up to the volume of one order, and not one base unit above', () => {
    const of = (volume: string) => order(1, { sellToken: { tokenId: 0, volume } });
    expect(orderFits(terms, sale, of('5000000000000000000'))).toBe(true);
    expect(orderFits(terms, sale, of('5000000000000000001'))).toBe(false);
  });

  test('up to the end of the standing approval', () => {
    expect(orderFits(terms, sale, order(1, { validUntil: terms.validUntil }))).toBe(true);
    expect(orderFits(terms, sale, order(1, { validUntil: terms.validUntil + 1 }))).toBe(false);
  });

  test('of these two tokens in this direction, when orders are among what it answers', () => {
    expect(orderFits(terms, sale, order(1))).toBe(true);
    expect(orderFits(terms, sale, turned(order(1)))).toBe(false);
    expect(orderFits(terms, sale, order(1, { sellToken: { tokenId: 1, volume: '1' } }))).toBe(false);
    expect(orderFits(terms, sale, order(1, { buyToken: { tokenId: 1, volume: '1' } }))).toBe(false);
    expect(orderFits({ ...terms, operations: ['cancelOrder'] }, sale, order(1))).toBe(false);
  });

  test('which anybody may fill', () => {
    expect(orderFits(terms, sale, order(1, { taker: '' }))).toBe(true);
    expect(orderFits(terms, sale, order(1, { taker: `0x${'1'.repeat(40)}` }))).toBe(false);
  });

  // 2 ETH: 1,600.5 USDT each are 3,201 USDT.
  test.each([
    ['a sale', terms, sale, (order: LimitedOrder) => order],
    ['a purchase', buying, purchase, turned],
  ] as const)('at its worst price and better, to the base unit: %s', (_what, limits, market, as) => {
    const fits = (bounds: Partial<StandingTerms>, volume: number) =>
      orderFits({ ...limits, ...bounds }, market, as(order(volume)));
    expect(fits({ minPrice: '1600.50' }, 3_201_000_000)).toBe(true);
    expect(fits({ minPrice: '1600.50' }, 3_201_000_001)).toBe(true);
    expect(fits({ minPrice: '1600.50' }, 3_200_999_999)).toBe(false);
    expect(fits({ maxPrice: '1600.50' }, 3_201_000_000)).toBe(true);
    expect(fits({ maxPrice: '1600.50' }, 3_200_999_999)).toBe(true);
    expect(fits({ maxPrice: '1600.50' }, 3_201_000_001)).toBe(false);
    const both = { minPrice: '1600', maxPrice: '1601' };
    expect([3_199_999_999, 3_200_000_000, 3_202_000_000, 3_202_000_001].map((volume) => fits(both, volume))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

test('a cancellation is within the limits in its market and on its side, also of an order against the pool', () => {
  const fits = (market: string, side: 'BUY' | 'SELL', operations: StandingTerms['operations'] = ['cancelOrder']) =>
    cancelFits({ ...terms, operations }, sale, { market, side });
  expect(fits('ETH-USDT', 'SELL')).toBe(true);
  expect(fits('AMM-ETH-USDT', 'SELL')).toBe(true);
  expect(fits('ETH-USDT', 'BUY')).toBe(false);
  expect(fits('LRC-USDT', 'SELL')).toBe(false);
  expect(fits('XAMM-ETH-USDT', 'SELL')).toBe(false);
  expect(fits('ETH-AMM-USDT', 'SELL')).toBe(false);
  expect(fits('ETH-USDT', 'SELL', ['submitOrder'])).toBe(false);
});
