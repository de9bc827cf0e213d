import type { SideName, Slots } from './market.ts';

export interface Strategy {
  /** Quotes on each side. */
  readonly levels: number;
  /** From the middle to the nearest quote, in ten-thousandths of the price. */
  readonly spreadBips: number;
  /** From one quote to the next. */
  readonly stepBips: number;
  /**
   * How far the middle moves against each order that was bought more than sold, so that the other
   * side is taken first.
   */
  readonly leanBips: number;
}

const BIPS = 10_000n;

/** The tick, from the best one, at which offers add up to `size`. */
function reached(offers: ReadonlyMap<bigint, bigint>, side: SideName, size: bigint): bigint | undefined {
  let sum = 0n;
  const ticks = [...offers.keys()].sort((a, b) => Number(side === 'SELL' ? a - b : b - a));
  return ticks.find((tick) => {
    sum += offers.get(tick) ?? 0n;
    return sum >= size;
  });
}

/**
 * Between the best offers of the others; what it was before where one side offers too little.
 * @param size - What counts as an offer, in base units: a smaller one moves a price at no cost.
 */
export function middleOf(others: Slots, size: bigint, before: bigint): bigint {
  const ask = reached(others.SELL, 'SELL', size);
  const bid = reached(others.BUY, 'BUY', size);
  return ask === undefined || bid === undefined ? before : (ask + bid) / 2n;
}

/**
 * Ticks at which quotes should stand, the nearest to the middle first.
 * @param orders - How many orders' worth was bought more than sold.
 */
export function wantedTicks(side: SideName, middle: bigint, orders: number, strategy: Strategy): bigint[] {
  const { levels, spreadBips, stepBips, leanBips } = strategy;
  // Never further than the nearest quote: else it would stand on the other side of the middle.
  const lean = Math.max(-spreadBips, Math.min(spreadBips, Math.round(-orders * leanBips)));
  return Array.from({ length: levels }, (_, n) => {
    const away = BigInt(spreadBips + n * stepBips);
    return side === 'SELL'
      ? (middle * (BIPS + BigInt(lean) + away) + BIPS - 1n) / BIPS + 1n
      : (middle * (BIPS + BigInt(lean) - away)) / BIPS - 1n;
  });
}

/** Whether an order at a tick meets no other: a maker-only one is cancelled where it would. */
export const rests = (side: SideName, tick: bigint, others: Slots): boolean =>
  side === 'SELL'
    ? [...others.BUY.keys()].every((bid) => bid < tick)
    : [...others.SELL.keys()].every((ask) => ask > tick);

export interface Adjustment<Quote> {
  /** Too far from every wanted tick. */
  readonly superfluous: readonly Quote[];
  /** Wanted ticks without a quote. */
  readonly missing: readonly bigint[];
}

/** Pairs quotes with wanted ticks: a quote that stands less than half a step away is left alone. */
export function adjust<Quote extends { readonly tick: bigint }>(
  quotes: readonly Quote[],
  wanted: readonly bigint[],
  { stepBips }: Pick<Strategy, 'stepBips'>,
): Adjustment<Quote> {
  const missing = [...wanted];
  const superfluous = quotes.filter(({ tick }) => {
    const at = missing.findIndex((one) => {
      const distance = one > tick ? one - tick : tick - one;
      return distance * BIPS * 2n <= one * BigInt(stepBips);
    });
    if (at >= 0) missing.splice(at, 1);
    return at < 0;
  });
  return { superfluous, missing };
}
