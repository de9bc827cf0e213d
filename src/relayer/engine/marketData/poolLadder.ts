import { BIPS } from '../../../protocol/limits.ts';
import type { Market } from '../catalog.ts';
import { tickOf } from '../orders/bookLevels.ts';
import { poolFee, quotePool, type Reserves, soldUntilPrice } from '../orders/poolMath.ts';
import type { Slot } from './slots.ts';

/** Slots on each side, and how much the marginal price moves from one to the next: 0.2 %. */
const STEPS = 50;
const STEP = 2n;
const OF = 1_000n;
const SCALE = 10n ** 18n;

/**
 * The pool's constant-product curve cut into slots: what a taker gets between two marginal prices,
 * after the pool's fee. The price of a slot is the worst one in it, so that an order at that price
 * takes all of it.
 * @param side - as in the book: `BUY` are bids, which a taker sells base to.
 */
export function poolLadder(
  market: Market,
  feeBips: number,
  precisionForPrice: number,
  side: 'BUY' | 'SELL',
  base: bigint,
  quote: bigint,
): Slot[] {
  if (base <= 0n || quote <= 0n) return [];
  const reserves: Reserves = side === 'BUY' ? { sold: base, bought: quote } : { sold: quote, bought: base };
  const slots: Slot[] = [];
  let soldBefore = 0n;
  let givenBefore = 0n;
  let factor = SCALE;
  for (let step = 0; step < STEPS; step++) {
    factor = (factor * (OF - STEP)) / OF;
    // What the curve gives for the last unit, as a share of what it gives for the first.
    const limit = { sold: reserves.sold * SCALE, bought: reserves.bought * factor };
    const sold = soldUntilPrice(reserves, 0, limit);
    const bought = quotePool(reserves, sold);
    const given = bought - poolFee(bought, feeBips);
    const [takes, gives] = [sold - soldBefore, given - givenBefore];
    if (takes <= 0n || gives <= 0n) continue;
    soldBefore = sold;
    givenBefore = given;
    const worst = { sold: limit.sold * BIPS, bought: limit.bought * (BIPS - BigInt(feeBips)) };
    slots.push(
      side === 'BUY'
        ? {
            tick: tickOf(market, precisionForPrice, 'BUY', worst.sold, worst.bought),
            size: takes,
            volume: gives,
            orders: 1,
          }
        : {
            tick: tickOf(market, precisionForPrice, 'SELL', worst.bought, worst.sold),
            size: gives,
            volume: takes,
            orders: 1,
          },
    );
  }
  return slots;
}
