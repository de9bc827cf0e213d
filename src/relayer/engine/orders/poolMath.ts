import type { Fill, OpenAmounts } from './fillMath.ts';
import { withinLimit } from './fillMath.ts';

/** Reserves of a constant-product pool as a taker sees them, base units. */
export interface Reserves {
  /** Of the token that the taker sells. */
  readonly sold: bigint;
  /** Of the token that the taker buys. */
  readonly bought: bigint;
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** What the curve gives for `sold`, before the pool's fee; rounded in favour of the pool. */
export function quotePool(reserves: Reserves, sold: bigint): bigint {
  if (sold <= 0n || reserves.sold <= 0n || reserves.bought <= 0n) return 0n;
  return (reserves.bought * sold) / (reserves.sold + sold);
}

/** The fee that the pool keeps of what it gives, rounded up. */
export function poolFee(bought: bigint, feeBips: number): bigint {
  return ceilDiv(bought * BigInt(feeBips), 10_000n);
}

/** The least amount to sell so that the curve gives at least `bought`; `undefined` when it never can. */
export function soldFor(reserves: Reserves, bought: bigint): bigint | undefined {
  if (bought >= reserves.bought) return undefined;
  let sold = ceilDiv(bought * reserves.sold, reserves.bought - bought);
  while (quotePool(reserves, sold) < bought) sold += 1n;
  return sold;
}

/**
 * How much can be sold until the pool's next unit is worth no more than `limit.bought / limit.sold`: the solution of
 * `Rs·Rb / (Rs + x)² = limit`.
 */
export function soldUntilPrice(reserves: Reserves, limit: Fill): bigint {
  if (limit.bought <= 0n) return 0n;
  const sold = integerRoot((reserves.sold * reserves.bought * limit.sold) / limit.bought) - reserves.sold;
  return sold > 0n ? sold : 0n;
}

/** Largest integer whose square is not above `value`. */
export function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * The part of an order that the pool fills now, before its fee, as fills of the book are. Whole when the order's own ratio
 * holds on average and no better offer waits in the book; otherwise up to where the pool becomes worse than the book's
 * best offer or the order's ratio.
 * @param best - the book's best offer as a ratio, if there is one.
 */
export function fillFromPool(reserves: Reserves, order: OpenAmounts, best: Fill | undefined): Fill | undefined {
  const wanted = order.fillByB
    ? soldFor(reserves, order.amountB - order.filledB)
    : min(order.amountS - order.filledS, order.locked);
  const whole = wanted === undefined || wanted > order.locked ? undefined : wanted;
  const limit = best ?? { sold: order.amountS, bought: order.amountB };
  let sold = min(soldUntilPrice(reserves, limit), whole ?? order.locked);
  if (best === undefined && whole !== undefined) {
    const fill = { sold: whole, bought: quotePool(reserves, whole) };
    if (withinLimit(order, fill)) sold = whole;
  }
  const given = quotePool(reserves, sold);
  // Buying by amount: never more than wanted.
  const bought = order.fillByB ? min(given, order.amountB - order.filledB) : given;
  const fill = { sold, bought };
  return sold > 0n && bought > 0n && withinLimit(order, fill) ? fill : undefined;
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
