import { Float24, roundToFloat, roundUpToFloat } from '../../../protocol/floats.ts';
import { BIPS } from '../../../protocol/limits.ts';
import { fillBetween, MANTISSAS } from './narrowFill.ts';

/** Amounts that an order can still fill, in its own terms. */
export interface OpenAmounts {
  readonly amountS: bigint;
  readonly amountB: bigint;
  readonly filledS: bigint;
  readonly filledB: bigint;
  readonly fillByB: boolean;
  /** Frozen and not yet spent. */
  readonly locked: bigint;
}

/** Amounts that change hands: the taker sells `sold` and gets `bought`, before fees. */
export interface Fill {
  readonly sold: bigint;
  readonly bought: bigint;
}

export const min = (...values: bigint[]): bigint => values.reduce((least, value) => (value < least ? value : least));
export const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

type Ratio = Pick<OpenAmounts, 'amountS' | 'amountB'>;

/** True when the taker's limit reaches the maker's price. */
export function crosses(taker: Ratio, maker: Ratio): boolean {
  return taker.amountS * maker.amountS >= taker.amountB * maker.amountB;
}

/** True when selling `sold` for `bought` is not worse than the order's own ratio. */
export function withinLimit(order: OpenAmounts, fill: Fill): boolean {
  return fill.sold * order.amountB <= fill.bought * order.amountS;
}

/**
 * The fill of two orders at the maker's price, as large as both allow. Both amounts are
 * block floats, because a block cannot express others, and both signed limits hold exactly: the
 * smaller side is filled, and the other amount is rounded in favour of the maker. A few units, such
 * as NFTs, cost the price of whole ones. Where that is beyond the taker's limit, see `fillBetween`.
 * @returns `undefined` when they do not cross, or no pair of floats is within both limits and both
 *   rests.
 */
export function fillAtMakerPrice(taker: OpenAmounts, maker: OpenAmounts): Fill | undefined {
  if (!crosses(taker, maker)) return undefined;
  // `bought` is the maker's sold token, `sold` the maker's bought one.
  const most = {
    sold: roundToFloat(
      min(
        taker.locked,
        taker.fillByB ? taker.locked : taker.amountS - taker.filledS,
        maker.fillByB ? maker.amountB - maker.filledB : taker.locked,
      ),
      Float24,
    ),
    bought: roundToFloat(
      min(
        maker.locked,
        maker.fillByB ? maker.locked : maker.amountS - maker.filledS,
        taker.fillByB ? taker.amountB - taker.filledB : maker.locked,
      ),
      Float24,
    ),
  };
  if (most.sold <= 0n || most.bought <= 0n) return undefined;
  const affordable = (most.sold * maker.amountS) / maker.amountB;
  const bought = roundToFloat(min(affordable, most.bought), Float24);
  const fill =
    affordable < most.bought && bought >= MANTISSAS
      ? { sold: most.sold, bought }
      : { sold: roundUpToFloat(ceilDiv(bought * maker.amountB, maker.amountS), Float24), bought };
  if (fill.bought > 0n && withinLimit(taker, fill)) return fill;
  return fillBetween(
    { top: maker.amountB, bottom: maker.amountS },
    { top: taker.amountS, bottom: taker.amountB },
    most,
  );
}

/**
 * True when nothing worth filling is left: the side that counts is full up to the dust of its
 * token.
 */
export function isFilled(order: OpenAmounts, dustS: bigint, dustB: bigint): boolean {
  return order.fillByB ? order.amountB - order.filledB <= dustB : order.amountS - order.filledS <= dustS;
}

/**
 * True when what the order can still sell is worth less than one unit of what it buys, at its own
 * ratio, or no more than the dust of that token; or when what it still wants to buy is worth as
 * little of what it sells.
 */
export function isExhausted(order: OpenAmounts, dustS = 0n, dustB = 0n): boolean {
  const { amountS, amountB, filledS, filledB, fillByB, locked } = order;
  if (fillByB && ((amountB - filledB) * amountS) / amountB <= dustS) return true;
  return ((fillByB ? locked : min(amountS - filledS, locked)) * amountB) / amountS <= dustB;
}

/** Fee of an amount at a rate in ten-thousandths, rounded down. */
export function feeOf(amount: bigint, bips: number): bigint {
  return (amount * BigInt(bips)) / BIPS;
}
