/** What an order still wants, in its own terms. */
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

const min = (...values: bigint[]): bigint => values.reduce((least, value) => (value < least ? value : least));
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** True when the taker's limit reaches the maker's price. */
export function crosses(taker: OpenAmounts, maker: OpenAmounts): boolean {
  return taker.amountS * maker.amountS >= taker.amountB * maker.amountB;
}

/** True when selling `sold` for `bought` is not worse than the order's own ratio. */
export function withinLimit(order: OpenAmounts, fill: Fill): boolean {
  return fill.sold * order.amountB <= fill.bought * order.amountS;
}

/**
 * The fill of two crossing orders at the maker's price, as large as both allow. Rounding favours the maker (it never sells
 * below its ratio); the taker's own limit still holds, else there is no fill.
 */
export function fillAtMakerPrice(taker: OpenAmounts, maker: OpenAmounts): Fill | undefined {
  // `bought` is the maker's sold token, `sold` the maker's bought one.
  const makerLimit = maker.fillByB
    ? ((maker.amountB - maker.filledB) * maker.amountS) / maker.amountB
    : maker.amountS - maker.filledS;
  const takerLimit = taker.fillByB
    ? taker.amountB - taker.filledB
    : ((taker.amountS - taker.filledS) * maker.amountS) / maker.amountB;
  const spendable = (taker.locked * maker.amountS) / maker.amountB;
  const bought = min(makerLimit, takerLimit, maker.locked, spendable);
  if (bought <= 0n) return undefined;
  const sold = ceilDiv(bought * maker.amountB, maker.amountS);
  const fill = { sold, bought };
  return withinLimit(taker, fill) && sold <= taker.locked ? fill : undefined;
}

/** True when nothing worth filling is left: the side that counts is full up to the dust of its token. */
export function isFilled(order: OpenAmounts, dustS: bigint, dustB: bigint): boolean {
  return order.fillByB ? order.amountB - order.filledB <= dustB : order.amountS - order.filledS <= dustS;
}

/** Fee of an amount at a rate in ten-thousandths, rounded down. */
export function feeOf(amount: bigint, bips: number): bigint {
  return (amount * BigInt(bips)) / 10_000n;
}
