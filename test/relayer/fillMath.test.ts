import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crosses, fillAtMakerPrice, type OpenAmounts, withinLimit } from '../../src/relayer/engine/orders/fillMath.ts';
import {
  fillFromPool,
  integerRoot,
  poolFee,
  quotePool,
  soldFor,
  soldUntilPrice,
} from '../../src/relayer/engine/orders/poolMath.ts';

const amount = fc.bigInt({ min: 1n, max: 2n ** 96n - 1n });
const order = fc
  .record({ amountS: amount, amountB: amount, fillByB: fc.boolean(), done: fc.integer({ min: 0, max: 99 }) })
  .map(({ amountS, amountB, fillByB, done }): OpenAmounts => {
    const filledS = (amountS * BigInt(done)) / 100n;
    const filledB = (amountB * BigInt(done) + 99n) / 100n;
    return {
      amountS,
      amountB,
      fillByB,
      filledS,
      filledB: filledB < amountB ? filledB : amountB - 1n,
      locked: amountS - filledS,
    };
  });
/** A taker whose limit is the maker's price or a little better for the maker. */
const pair = fc
  .record({ maker: order, taker: order, ratio: fc.bigInt({ min: 1n, max: 10n ** 9n }) })
  .map(({ maker, taker, ratio }) => {
    const amountS = (taker.amountB * maker.amountB * (10n ** 9n + ratio)) / (maker.amountS * 10n ** 9n) + 1n;
    const filledS = taker.filledS < amountS ? taker.filledS % amountS : 0n;
    return { maker, taker: { ...taker, amountS, filledS, locked: amountS - filledS } };
  });

describe('a fill of two orders', () => {
  it('never spends more than is frozen, never fills beyond an amount, and keeps both limits', () => {
    let filled = 0;
    fc.assert(
      fc.property(pair, ({ maker, taker }) => {
        expect(crosses(taker, maker)).toBe(true);
        const fill = fillAtMakerPrice(taker, maker);
        if (!fill) return;
        filled += 1;
        expect(fill.sold > 0n && fill.bought > 0n).toBe(true);
        expect(fill.sold <= taker.locked).toBe(true);
        expect(fill.bought <= maker.locked).toBe(true);
        if (taker.fillByB) expect(fill.bought <= taker.amountB - taker.filledB).toBe(true);
        else expect(fill.sold <= taker.amountS - taker.filledS).toBe(true);
        if (maker.fillByB) expect(fill.sold <= maker.amountB - maker.filledB).toBe(true);
        expect(withinLimit(taker, fill)).toBe(true);
        // The maker sells `bought` and gets `sold`.
        expect(withinLimit(maker, { sold: fill.bought, bought: fill.sold })).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(filled).toBeGreaterThan(2_000);
  });

  it('is none for orders that do not cross', () => {
    const maker = { amountS: 100n, amountB: 200n, fillByB: false, filledS: 0n, filledB: 0n, locked: 100n };
    const taker = { amountS: 199n, amountB: 100n, fillByB: false, filledS: 0n, filledB: 0n, locked: 199n };
    expect(crosses(taker, maker)).toBe(false);
    expect(crosses({ ...taker, amountS: 200n }, maker)).toBe(true);
  });
});

describe('a constant-product pool', () => {
  const reserves = fc.record({ sold: amount, bought: amount });

  it('never has a smaller product after a fill', () => {
    fc.assert(
      fc.property(reserves, amount, fc.integer({ min: 0, max: 63 }), (pool, sold, bips) => {
        const bought = quotePool(pool, sold);
        const paid = bought - poolFee(bought, bips);
        expect((pool.sold + sold) * (pool.bought - paid) >= pool.sold * pool.bought).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('sells exactly enough for a wanted amount: one unit less would not do', () => {
    fc.assert(
      fc.property(reserves, amount, (pool, wanted) => {
        const sold = soldFor(pool, wanted);
        if (sold === undefined) {
          expect(wanted >= pool.bought).toBe(true);
          return;
        }
        expect(quotePool(pool, sold) >= wanted).toBe(true);
        expect(quotePool(pool, sold - 1n) < wanted).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stops where its next unit is worth the limit', () => {
    fc.assert(
      fc.property(reserves, amount, amount, (pool, a, b) => {
        const sold = soldUntilPrice(pool, { sold: a, bought: b });
        const product = pool.sold * pool.bought;
        // (Rs + x)² · limit <= Rs · Rb < (Rs + x + 1)² · limit, when anything is sold at all.
        if (sold > 0n) expect((pool.sold + sold) ** 2n * b <= product * a).toBe(true);
        expect((pool.sold + sold + 1n) ** 2n * b > product * a || sold === 0n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('fills an order within its limit and its freeze', () => {
    fc.assert(
      fc.property(
        reserves,
        order,
        fc.option(fc.record({ sold: amount, bought: amount }), { nil: undefined }),
        (pool, open, best) => {
          const fill = fillFromPool(pool, open, best);
          if (!fill) return;
          expect(withinLimit(open, fill)).toBe(true);
          expect(fill.sold <= open.locked).toBe(true);
          expect(fill.bought < pool.bought).toBe(true);
          if (open.fillByB) expect(fill.bought <= open.amountB - open.filledB).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('takes whole integer roots', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 400n }), (value) => {
        const root = integerRoot(value);
        expect(root * root <= value && (root + 1n) ** 2n > value).toBe(true);
      }),
    );
  });
});
