import type { Fill, OpenAmounts } from './fillMath.ts';
import { withinLimit } from './fillMath.ts';

/** Reserves of a constant-product pool as a taker sees them, base units. */
export interface Reserves {
  /** Of the token that the taker sells. */
  readonly sold: bigint;
  /** Of the token that the taker buys. */
  readonly bought: bigint;
  readonly feeBips: number;
}

const BIPS = 10_000n;
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** What the pool gives for `sold`: the curve's amount, and the fee that stays in the pool. Both rounded in its favour. */
export function quotePool(reserves: Reserves, sold: bigint): { gross: bigint; fee: bigint; net: bigint } {
  if (sold <= 0n || reserves.sold <= 0n || reserves.bought <= 0n) return { gross: 0n, fee: 0n, net: 0n };
  const gross = (reserves.bought * sold) / (reserves.sold + sold);
  const fee = ceilDiv(gross * BigInt(reserves.feeBips), BIPS);
  return { gross, fee, net: gross - fee };
}

/** The least amount to sell so that the pool gives at least `net`; `undefined` when it never can. */
export function soldForNet(reserves: Reserves, net: bigint): bigint | undefined {
  const gross = ceilDiv(net * BIPS, BIPS - BigInt(reserves.feeBips));
  if (gross >= reserves.bought) return undefined;
  let sold = ceilDiv(gross * reserves.sold, reserves.bought - gross);
  while (quotePool(reserves, sold).net < net) sold += 1n;
  return sold;
}

/**
 * How much can be sold until the pool's next unit is worth no more than `limit.bought / limit.sold`: the solution of
 * `(1 − f)·Rs·Rb / (Rs + x)² = limit`.
 */
export function soldUntilPrice(reserves: Reserves, limit: Fill): bigint {
  if (limit.bought <= 0n) return 0n;
  const square =
    (reserves.sold * reserves.bought * (BIPS - BigInt(reserves.feeBips)) * limit.sold) / (BIPS * limit.bought);
  const sold = integerRoot(square) - reserves.sold;
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
 * The part of an order that the pool fills now. Whole when the order's own ratio holds on average and no better offer
 * waits in the book; otherwise up to where the pool becomes worse than the book's best offer or the order's ratio.
 * @param best - the book's best offer as a ratio, if there is one.
 */
export function fillFromPool(reserves: Reserves, order: OpenAmounts, best: Fill | undefined): Fill | undefined {
  const limit = { sold: order.amountS, bought: order.amountB };
  const wanted = order.fillByB
    ? soldForNet(reserves, order.amountB - order.filledB)
    : order.amountS - order.filledS < order.locked
      ? order.amountS - order.filledS
      : order.locked;
  const whole = wanted === undefined || wanted > order.locked ? undefined : wanted;
  const byPrice = soldUntilPrice(reserves, best ?? limit);
  let sold = byPrice;
  if (best === undefined && whole !== undefined) {
    const net = quotePool(reserves, whole).net;
    if (withinLimit(order, { sold: whole, bought: net })) sold = whole;
  }
  if (whole !== undefined && sold > whole) sold = whole;
  if (sold > order.locked) sold = order.locked;
  const { net } = quotePool(reserves, sold);
  // Buying by amount: never more than wanted.
  const bought = order.fillByB && net > order.amountB - order.filledB ? order.amountB - order.filledB : net;
  const fill = { sold, bought };
  return sold > 0n && bought > 0n && withinLimit(order, fill) ? fill : undefined;
}
