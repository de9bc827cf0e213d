import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boughtAt,
  type Market,
  shows,
  tickOf,
  tickThatBookHas,
  withoutOwn,
} from '../../examples/marketMaker/market.ts';
import { adjust, middleOf, rests, wantedTicks } from '../../examples/marketMaker/wantedQuotes.ts';

const market: Market = {
  name: 'LRC-USDT',
  base: { tokenId: 1, decimals: 18 },
  quote: { tokenId: 2, decimals: 6 },
  digits: 4,
};
const strategy = { levels: 3, spreadBips: 20, stepBips: 10, leanBips: 5 };
const slots = (SELL: [bigint, bigint][], BUY: [bigint, bigint][]) => ({ SELL: new Map(SELL), BUY: new Map(BUY) });
const side = fc.constantFrom('SELL' as const, 'BUY' as const);

test('prices are counted in the smallest step of the market', () => {
  expect([tickOf('0.2612', market), tickOf('3', market), tickOf('0.00009', market)]).toEqual([2_612n, 30_000n, 0n]);
});

test('an order is listed at the tick that it was made for, and gives away less than one unit', () => {
  const volume = fc.bigInt(10n ** 8n, 10n ** 14n);
  fc.assert(
    fc.property(side, volume, fc.bigInt(100n, 1_000_000n), (name, sold, tick) => {
      const bought = boughtAt(name, name === 'SELL' ? sold * 10n ** 10n : sold, tick, market);
      const sale = name === 'SELL' ? sold * 10n ** 10n : sold;
      const [base, quote] = name === 'SELL' ? [sale, bought] : [bought, sale];
      expect(tickThatBookHas(name, base, quote, market)).toBe(tick);
    }),
  );
});

test('quotes never meet each other, however much was bought or sold', () => {
  fc.assert(
    fc.property(fc.bigInt(1_000n, 10n ** 9n), fc.double({ min: -1_000, max: 1_000, noNaN: true }), (middle, orders) => {
      const [asks, bids] = [
        wantedTicks('SELL', middle, orders, strategy),
        wantedTicks('BUY', middle, orders, strategy),
      ];
      expect(asks).toHaveLength(3);
      expect(bids).toHaveLength(3);
      for (const ask of asks) for (const bid of bids) expect(ask > bid).toBe(true);
    }),
  );
});

test('what was bought makes both sides cheaper, what was sold dearer', () => {
  const at = (orders: number) => wantedTicks('SELL', 100_000n, orders, strategy)[0] ?? 0n;
  expect(at(2)).toBeLessThan(at(0));
  expect(at(-2)).toBeGreaterThan(at(0));
});

test('the middle is that of the others, and stays where one side of them is empty', () => {
  const book = slots(
    [
      [110n, 5n],
      [120n, 9n],
    ],
    [
      [100n, 3n],
      [90n, 9n],
    ],
  );
  expect(middleOf(book, 3n, 7n)).toBe(105n);
  expect(middleOf(slots([], [[100n, 3n]]), 3n, 7n)).toBe(7n);
  const own = slots([[110n, 5n]], [[100n, 1n]]);
  expect(middleOf(withoutOwn(book, own), 2n, 7n)).toBe(110n);
});

test('offers that are smaller than an order do not move the middle', () => {
  const best = slots([[110n, 50n]], [[100n, 50n]]);
  const asks: [bigint, bigint][] = [
    [140n, 99n],
    [106n, 1n],
  ];
  const withSmall = (size: bigint) =>
    slots(
      [...asks, [110n, 50n], [105n, size]],
      [
        [40n, 99n],
        [104n, 1n],
        [100n, 50n],
      ],
    );
  expect(middleOf(withSmall(1n), 50n, 7n)).toBe(middleOf(best, 50n, 7n));
  expect(middleOf(withSmall(50n), 50n, 7n)).toBe(102n);
  expect(middleOf(best, 51n, 7n)).toBe(7n);
});

test('a book shows the own quotes only when it holds all of them', () => {
  const own = slots([[110n, 5n]], []);
  expect(shows(slots([[110n, 6n]], []), own)).toBe(true);
  expect(shows(slots([[110n, 4n]], []), own)).toBe(false);
  expect(shows(slots([], [[110n, 9n]]), own)).toBe(false);
});

test('a book of fifty slots does not show what stands behind them', () => {
  const fifty = Array.from({ length: 50 }, (_, n): [bigint, bigint] => [101n + BigInt(n), 1n]);
  const far = slots([[151n, 5n]], []);
  expect(shows(slots(fifty, []), far)).toBe(true);
  expect(shows(slots(fifty.slice(1), []), far)).toBe(false);
  expect(shows(slots(fifty, []), slots([[100n, 5n]], []))).toBe(false);
});

test('a quote that would meet an offer, however small, does not rest', () => {
  const others = slots([[106n, 1n]], [[100n, 1n]]);
  expect([100n, 101n].map((tick) => rests('SELL', tick, others))).toEqual([false, true]);
  expect([105n, 106n].map((tick) => rests('BUY', tick, others))).toEqual([true, false]);
});

test('a quote near a wanted price stays, others go, and no two stand for one', () => {
  const quotes = [{ tick: 10_004n }, { tick: 10_005n }, { tick: 10_100n }];
  expect(adjust(quotes, [10_000n, 10_010n, 10_030n], strategy)).toEqual({
    superfluous: [{ tick: 10_100n }],
    missing: [10_030n],
  });
  expect(adjust([{ tick: 10_000n }, { tick: 10_000n }], [10_000n], strategy).superfluous).toHaveLength(1);
});
