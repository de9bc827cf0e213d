import { Float24, roundToFloat, roundUpToFloat } from '../../../protocol/floats.ts';
import { BIPS, MAX_AMOUNT } from '../../../protocol/limits.ts';
import { ceilDiv, type Fill, min, type OpenAmounts, withinLimit } from './fillMath.ts';

/** Reserves of a constant-product pool as a taker sees them, base units. */
export interface Reserves {
  /** Of the token that the taker sells. */
  readonly sold: bigint;
  /** Of the token that the taker buys. */
  readonly bought: bigint;
}

/** A fill of a pool; `bought` is what the pool gives. */
export interface PoolFill extends Fill {
  /**
   * Fee that the pool kept of what its curve gives; part of no transaction, because the pool pays
   * by giving less.
   */
  readonly fee: bigint;
  /**
   * Whether it takes all that the order can still fill, as far as one pair of floats expresses
   * that.
   */
  readonly isWhole: boolean;
}

/**
 * Computes what the curve gives for `sold`, before the pool's fee; rounded in favour of the pool.
 */
export function quotePool(reserves: Reserves, sold: bigint): bigint {
  if (sold <= 0n || reserves.sold <= 0n || reserves.bought <= 0n) return 0n;
  return (reserves.bought * sold) / (reserves.sold + sold);
}

/** The fee that the pool keeps of what it gives, rounded up. */
export function poolFee(bought: bigint, feeBips: number): bigint {
  return ceilDiv(bought * BigInt(feeBips), BIPS);
}

/**
 * The least amount to sell so that the curve gives at least `bought`; `undefined` when it never
 * can.
 */
export function soldFor(reserves: Reserves, bought: bigint): bigint | undefined {
  // Whoever left the pool last may have left something of one token alone.
  if (bought >= reserves.bought || reserves.sold <= 0n) return undefined;
  return ceilDiv(bought * reserves.sold, reserves.bought - bought);
}

/**
 * How much can be sold until the pool's next unit, after its fee, is worth no more than
 * `limit.bought / limit.sold`: the solution of `(1 − fee) · Rs·Rb / (Rs + x)² = limit`.
 */
export function soldUntilPrice(reserves: Reserves, feeBips: number, limit: Fill): bigint {
  if (limit.bought <= 0n) return 0n;
  const product = reserves.sold * reserves.bought * (BIPS - BigInt(feeBips));
  const sold = integerRoot((product * limit.sold) / (limit.bought * BIPS)) - reserves.sold;
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
 * The least float to sell for which the pool gives `wanted` after its fee; `undefined` when it
 * never can, or only for more than a balance can be.
 */
function soldForNet(reserves: Reserves, feeBips: number, wanted: bigint): bigint | undefined {
  const sold = soldFor(reserves, ceilDiv(wanted * BIPS, BIPS - BigInt(feeBips)));
  return sold === undefined || sold > MAX_AMOUNT ? undefined : roundUpToFloat(sold, Float24);
}

/** Whether the pool's first unit, after its fee, is cheaper than the ratio of the order. */
export const isReachedBy = ({ sold, bought }: Reserves, feeBips: number, { amountS, amountB }: OpenAmounts): boolean =>
  bought * (BIPS - BigInt(feeBips)) * amountS > sold * BIPS * amountB;

/**
 * The part of an order that the pool fills now. `bought` is what the pool gives after its fee,
 * because a block carries no other amount of it; both amounts are block floats, rounded in favour
 * of the pool. As much as one pair of floats expresses when the order's own ratio holds on average
 * and no better offer waits in the book; otherwise up to where the pool becomes worse than the
 * book's best offer or the order's ratio.
 * @param best - the book's best offer as a ratio after the taker's fee, if there is one.
 */
export function fillFromPool(
  reserves: Reserves,
  feeBips: number,
  order: OpenAmounts,
  best: Fill | undefined,
): PoolFill | undefined {
  // Every further unit is dearer, and all that is rounded is rounded in favour of the pool.
  if (!isReachedBy(reserves, feeBips, order)) return undefined;
  const wanted = order.fillByB ? roundToFloat(order.amountB - order.filledB, Float24) : undefined;
  const most = order.fillByB ? order.locked : min(order.amountS - order.filledS, order.locked);
  const whole = wanted === undefined ? most : soldForNet(reserves, feeBips, wanted);
  const own = { sold: order.amountS, bought: order.amountB };
  const limit = best && best.bought * own.sold > own.bought * best.sold ? best : own;
  const upTo = (sold: bigint): PoolFill | undefined => {
    if (sold <= 0n) return undefined;
    const fill = { sold: roundToFloat(sold, Float24) };
    // The pool's account has no room for it.
    if (reserves.sold + fill.sold > MAX_AMOUNT) return undefined;
    const quoted = quotePool(reserves, fill.sold);
    const net = roundToFloat(quoted - poolFee(quoted, feeBips), Float24);
    // Buying by amount: never more than wanted.
    const bought = wanted === undefined ? net : min(net, wanted);
    const isWhole = bought === wanted || fill.sold === roundToFloat(most, Float24);
    return bought > 0n && withinLimit(order, { ...fill, bought })
      ? { ...fill, bought, fee: poolFee(quoted, feeBips), isWhole }
      : undefined;
  };
  const fits = whole !== undefined && whole <= order.locked ? whole : undefined;
  const all = best === undefined && fits !== undefined ? upTo(fits) : undefined;
  return all ?? upTo(min(soldUntilPrice(reserves, feeBips, limit), fits ?? most));
}
