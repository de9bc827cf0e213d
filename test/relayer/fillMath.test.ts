import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Float24, roundToFloat } from '../../src/protocol/floats.ts';
import {
  crosses,
  type Fill,
  fillAtMakerPrice,
  isExhausted,
  type OpenAmounts,
  withinLimit,
} from '../../src/relayer/engine/orders/fillMath.ts';
import {
  fillFromPool,
  integerRoot,
  isReachedBy,
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
  })
  .filter(({ taker }) => taker.amountS < 2n ** 96n);

/** Every rule that a fill of two orders keeps. */
function checkFill(taker: OpenAmounts, maker: OpenAmounts, fill: Fill): void {
  expect(fill.sold > 0n && fill.bought > 0n).toBe(true);
  for (const amount of [fill.sold, fill.bought]) expect(roundToFloat(amount, Float24)).toBe(amount);
  expect(fill.sold <= taker.locked).toBe(true);
  expect(fill.bought <= maker.locked).toBe(true);
  if (taker.fillByB) expect(fill.bought <= taker.amountB - taker.filledB).toBe(true);
  else expect(fill.sold <= taker.amountS - taker.filledS).toBe(true);
  if (maker.fillByB) expect(fill.sold <= maker.amountB - maker.filledB).toBe(true);
  else expect(fill.bought <= maker.amountS - maker.filledS).toBe(true);
  expect(withinLimit(taker, fill)).toBe(true);
  // The maker sells `bought` and gets `sold`.
  expect(withinLimit(maker, { sold: fill.bought, bought: fill.sold })).toBe(true);
}

const fresh = (amountS: bigint, amountB: bigint, fillByB = false): OpenAmounts => ({
  amountS,
  amountB,
  fillByB,
  filledS: 0n,
  filledB: 0n,
  locked: amountS,
});
const float = fc.bigInt({ min: 1n, max: 2n ** 64n }).map((value) => roundToFloat(value, Float24));

const factor = fc.bigInt({ min: 1n, max: 10n ** 9n });
/** Of every length alike. */
const ofAnyLength = fc
  .integer({ min: 1, max: 96 })
  .chain((bits) => fc.bigInt({ min: 1n, max: 2n ** BigInt(bits) - 1n }));

describe('a fill of two orders', () => {
  it('is of block floats, never spends more than is frozen, never fills beyond an amount, and keeps both limits', () => {
    let filled = 0;
    fc.assert(
      fc.property(pair, ({ maker, taker }) => {
        expect(crosses(taker, maker)).toBe(true);
        const fill = fillAtMakerPrice(taker, maker);
        if (!fill) return;
        filled += 1;
        checkFill(taker, maker, fill);
      }),
      { numRuns: 5_000 },
    );
    expect(filled).toBeGreaterThan(2_000);
  });

  it('is one of the same kind however far the limits are apart', () => {
    const any = fc
      .record({ amountS: ofAnyLength, amountB: ofAnyLength, byB: fc.boolean() })
      .map(({ amountS, amountB, byB }) => fresh(amountS, amountB, byB));
    let filled = 0;
    fc.assert(
      fc.property(any, any, (taker, maker) => {
        if (!crosses(taker, maker)) return;
        const fill = fillAtMakerPrice(taker, maker);
        if (!fill) return;
        filled += 1;
        checkFill(taker, maker, fill);
      }),
      { numRuns: 5_000 },
    );
    expect(filled).toBeGreaterThan(2_000);
  });

  it('leaves less than 0.01 % of the smaller side when the limits are a ten-thousandth apart', () => {
    let filled = 0;
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 12n, max: 10n ** 26n }), float, float, (size, amountS, amountB) => {
        const large = (value: bigint) => value * 10n ** 6n;
        const maker = fresh(large(amountS), large(amountB));
        if (maker.amountS < size || (size * maker.amountB) / maker.amountS > 2n ** 90n) return;
        const taker = fresh((size * maker.amountB * 10_001n) / (maker.amountS * 10_000n) + 10n ** 12n, size, true);
        const fill = fillAtMakerPrice(taker, maker);
        if (taker.amountS < 10n ** 6n) return;
        expect(fill).toBeDefined();
        if (fill) {
          checkFill(taker, maker, fill);
          expect((size - fill.bought) * 10_000n < size).toBe(true);
          filled += 1;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(filled).toBeGreaterThan(100);
  });

  it('is found at exactly one price whenever a pair of floats has it', () => {
    fc.assert(
      fc.property(float, float, factor, factor, fc.boolean(), (sold, bought, makers, takers, byB) => {
        // The only ratio within both limits is that of the pair; neither amount is a float as a
        // rule.
        const maker = fresh(bought * makers, sold * makers, byB);
        const taker = fresh(sold * takers, bought * takers, byB);
        const fill = fillAtMakerPrice(taker, maker);
        expect(fill).toBeDefined();
        if (!fill) return;
        checkFill(taker, maker, fill);
        expect(fill.sold * bought).toBe(fill.bought * sold);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is found for small amounts exactly when counting through all pairs finds one', () => {
    const small = fc.bigInt({ min: 1n, max: 25n });
    fc.assert(
      fc.property(small, small, small, small, fc.boolean(), fc.boolean(), (ts, tb, ms, mb, takerByB, makerByB) => {
        const taker = fresh(ts, tb, takerByB);
        const maker = fresh(ms, mb, makerByB);
        if (!crosses(taker, maker)) return;
        const pairs: Fill[] = [];
        for (let sold = 1n; sold <= (makerByB && mb < ts ? mb : ts); sold++)
          for (let bought = 1n; bought <= (takerByB && tb < ms ? tb : ms); bought++)
            if (withinLimit(taker, { sold, bought }) && withinLimit(maker, { sold: bought, bought: sold }))
              pairs.push({ sold, bought });
        const fill = fillAtMakerPrice(taker, maker);
        expect(fill !== undefined).toBe(pairs.length > 0);
        if (fill) checkFill(taker, maker, fill);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is none at one price that no pair of floats has', () => {
    const [amountS, amountB] = [1_234_567_891_234_567_891n, 3_000_000_007n];
    expect(fillAtMakerPrice(fresh(amountB, amountS), fresh(amountS, amountB))).toBeUndefined();
    // A hundred-thousandth above the price there is one.
    const fill = fillAtMakerPrice(fresh(amountB + amountB / 50_000n, amountS, true), fresh(amountS, amountB));
    expect(fill).toEqual({ sold: 2_999_990_000n, bought: 1_234_560_000_000_000_000n });
  });

  it.each([
    ['3123.45', 7_770_000_000_000_000_000n, 312_345n, 10n ** 14n],
    ['0.00006789', 1_234_567_000_000_000_000_000n, 6_789n, 10n ** 8n],
    ['15000', 123_456_789_000_000_000n, 15_000n, 1n],
  ])('takes a whole order at the price %s in at most eight parts', (_, size, top, bottom) => {
    const amountB = (size * top) / bottom;
    const maker = { ...fresh(size, amountB) };
    const taker = { ...fresh(amountB, size) };
    let parts = 0;
    while (parts < 20) {
      const fill = fillAtMakerPrice(taker, maker);
      if (!fill) break;
      checkFill(taker, maker, fill);
      parts++;
      for (const [order, sold, bought] of [
        [taker, fill.sold, fill.bought],
        [maker, fill.bought, fill.sold],
      ] as const)
        Object.assign(order, {
          filledS: order.filledS + sold,
          filledB: order.filledB + bought,
          locked: order.locked - sold,
        });
    }
    expect(taker.locked).toBe(0n);
    expect(parts).toBeLessThanOrEqual(8);
  });

  it('is none for orders that do not cross', () => {
    const maker = { amountS: 100n, amountB: 200n, fillByB: false, filledS: 0n, filledB: 0n, locked: 100n };
    const taker = { amountS: 199n, amountB: 100n, fillByB: false, filledS: 0n, filledB: 0n, locked: 199n };
    expect(crosses(taker, maker)).toBe(false);
    expect(fillAtMakerPrice(taker, maker)).toBeUndefined();
    expect(crosses({ ...taker, amountS: 200n }, maker)).toBe(true);
  });
});

describe('a fill of a few indivisible units', () => {
  it.each([
    ['an NFT at 1 ETH for at most 1.9', fresh(19n * 10n ** 17n, 1n), fresh(10n, 10n ** 19n), 10n ** 18n, 1n],
    ['8.9 USDC for tokens at 3', fresh(8_900_000n, 2n), fresh(100n, 300_000_000n), 6_000_000n, 2n],
    [
      'the last 1.9 ETH of a sale',
      fresh(10n ** 19n, 1n),
      fresh(10n, 19n * 10n ** 17n, true),
      19n * 10n ** 16n * 9n,
      9n,
    ],
  ])('costs the price of these units: %s', (_, taker, maker, sold, bought) => {
    const open = bought === 9n ? { ...maker, filledS: 0n, filledB: 10n ** 17n } : maker;
    expect(fillAtMakerPrice(taker, open)).toEqual({ sold, bought });
  });

  it('is less than one unit of what the maker sells dearer than its price, and keeps every other rule', () => {
    const units = fc.bigInt({ min: 1n, max: 2n ** 20n });
    const money = fc.bigInt({ min: 1n, max: 2n ** 70n });
    fc.assert(
      fc.property(units, units, money, money, fc.boolean(), fc.boolean(), (tb, ms, ts, mb, takerByB, makerByB) => {
        const [taker, maker] = [fresh(ts, tb, takerByB), fresh(ms, mb, makerByB)];
        if (!crosses(taker, maker)) return;
        const fill = fillAtMakerPrice(taker, maker);
        if (!fill) return;
        checkFill(taker, maker, fill);
        const exact = (fill.bought * mb + ms - 1n) / ms;
        expect(fill.sold - exact <= exact / 50_000n).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('leaves an order exhausted only when it has bought all that it asked for, or can sell no unit more', () => {
    const small = fc.bigInt({ min: 1n, max: 60n });
    let exhausted = 0;
    fc.assert(
      fc.property(small, small, small, small, fc.boolean(), fc.boolean(), (ts, tb, ms, mb, takerByB, makerByB) => {
        const [taker, maker] = [fresh(ts, tb, takerByB), fresh(ms, mb, makerByB)];
        const fill = crosses(taker, maker) && fillAtMakerPrice(taker, maker);
        if (!fill) return;
        for (const [order, sold, bought] of [
          [taker, fill.sold, fill.bought],
          [maker, fill.bought, fill.sold],
        ] as const) {
          const rest = { ...order, filledS: sold, filledB: bought, locked: order.locked - sold };
          const left = order.amountB - bought;
          const sellsNothing = rest.locked === 0n || (order.fillByB && left * order.amountS < order.amountB);
          expect(isExhausted(rest)).toBe(
            sellsNothing || (!order.fillByB && rest.locked * order.amountB < order.amountS),
          );
          if (isExhausted(rest)) exhausted += 1;
          if (isExhausted(rest) && !order.fillByB) expect(left <= 0n).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(exhausted).toBeGreaterThan(500);
  });

  it('leaves the last of three units to be bought, although its price is no whole number', () => {
    expect(
      isExhausted({ ...fresh(10n ** 18n, 3n, true), filledS: 6n * 10n ** 17n, filledB: 2n, locked: 4n * 10n ** 17n }),
    ).toBe(false);
  });
});

describe('a constant-product pool', () => {
  const reserves = fc.record({ sold: amount, bought: amount });
  const fee = fc.integer({ min: 0, max: 63 });

  it('never has a smaller product after a fill', () => {
    fc.assert(
      fc.property(reserves, amount, fee, (pool, sold, bips) => {
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

  it('gives nothing to an order for which it would have to take more than a balance can be', () => {
    const pool = { sold: 15_000_000n * 10n ** 18n, bought: 10n ** 21n + 100n };
    expect(fillFromPool(pool, 20, fresh(5n * 10n ** 18n, 998n * 10n ** 18n, true), undefined)).toBeUndefined();
  });

  it('gives nothing of what is left in it while it has none of the other token', () => {
    expect(soldFor({ sold: 0n, bought: 7n }, 1n)).toBeUndefined();
    for (const byB of [true, false])
      expect(fillFromPool({ sold: 0n, bought: 7n }, 20, fresh(10n ** 18n, 1n, byB), undefined)).toBeUndefined();
  });

  it('reaches no order whose limit its first unit does not reach, however much it takes', () => {
    fc.assert(
      fc.property(reserves, fee, order, amount, (pool, bips, open, sold) => {
        // The order at the very price of the pool, and those that ask for a little more.
        const edge = { ...open, amountS: pool.sold * 10_000n, amountB: pool.bought * BigInt(10_000 - bips) };
        const asksMore = { ...edge, amountB: edge.amountB + open.amountB };
        expect(isReachedBy(pool, bips, { ...edge, amountB: edge.amountB - 1n })).toBe(true);
        const quoted = quotePool(pool, sold);
        const fill = { sold, bought: quoted - poolFee(quoted, bips) };
        for (const order of [edge, asksMore]) {
          expect(isReachedBy(pool, bips, order)).toBe(false);
          expect(fill.bought > 0n && withinLimit(order, fill)).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('stops where its next unit is worth the limit', () => {
    fc.assert(
      fc.property(reserves, fee, amount, amount, (pool, bips, a, b) => {
        const sold = soldUntilPrice(pool, bips, { sold: a, bought: b });
        // After the fee.
        const product = pool.sold * pool.bought * BigInt(10_000 - bips);
        const scaled = b * 10_000n;
        // (Rs + x)² · limit <= Rs · Rb < (Rs + x + 1)² · limit, when anything is sold at all.
        if (sold > 0n) expect((pool.sold + sold) ** 2n * scaled <= product * a).toBe(true);
        expect((pool.sold + sold + 1n) ** 2n * scaled > product * a || sold === 0n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('fills an order within its limit and its freeze', () => {
    fc.assert(
      fc.property(
        reserves,
        fee,
        order,
        fc.option(fc.record({ sold: amount, bought: amount }), { nil: undefined }),
        (pool, bips, open, best) => {
          const fill = fillFromPool(pool, bips, open, best);
          if (!fill) return;
          // The very amounts of its block, which carries no fee of a pool.
          for (const value of [fill.sold, fill.bought]) expect(roundToFloat(value, Float24)).toBe(value);
          expect((pool.sold + fill.sold) * (pool.bought - fill.bought) >= pool.sold * pool.bought).toBe(true);
          expect(fill.bought + fill.fee <= quotePool(pool, fill.sold)).toBe(true);
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
