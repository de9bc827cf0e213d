import { BOOK_LEVELS } from '../../../messaging/bookLevels.ts';
import type { BookLevel, MarketDataView, MarketView, OrderView } from '../../../messaging/views.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import { BIPS } from '../../../protocol/limits.ts';
import { PRICE_DIGITS, scaledPrice as readPrice } from '../../../protocol/scaledPrice.ts';
import { PRICE_DECIMALS, scaledPrice } from '../../shared/numbers.ts';

export type Side = 'BUY' | 'SELL';

type Tokens = Pick<MarketView, 'base' | 'quote'>;

/** Both parts of what a base unit of the base token costs in base units of the quote token. */
const rate = (price: bigint, { base, quote }: Tokens): readonly [bigint, bigint] => [
  price * 10n ** BigInt(quote.decimals),
  10n ** BigInt(base.decimals + PRICE_DECIMALS),
];

export interface OrderTerms {
  readonly sell: { readonly token: TokenFacts; readonly volume: bigint };
  readonly buy: { readonly token: TokenFacts; readonly volume: bigint };
  /** Least amount that arrives, after the highest fee. */
  readonly least: bigint;
}

/**
 * Computes the signed terms of an order for an amount of the base token at a price. Its quote
 * volume is rounded against the order, by less than one base unit, because an order rounded the
 * other way would not reach an offer at its very price.
 */
export function orderTerms(side: Side, size: bigint, price: bigint, maxFeeBips: number, market: Tokens): OrderTerms {
  const [numerator, denominator] = rate(price, market);
  const base = { token: market.base, volume: size };
  const up = side === 'BUY' ? denominator - 1n : 0n;
  const quote = { token: market.quote, volume: (size * numerator + up) / denominator };
  const [sell, buy] = side === 'BUY' ? [quote, base] : [base, quote];
  const fee = (buy.volume * BigInt(maxFeeBips) + BIPS - 1n) / BIPS;
  return { sell, buy, least: buy.volume - fee };
}

/** The most of the base token that `free`, an amount of the token that is sold, pays at a price. */
export function sizeFor(side: Side, free: bigint, price: bigint, market: Tokens): bigint {
  if (side === 'SELL') return free;
  const [numerator, denominator] = rate(price, market);
  return numerator === 0n ? 0n : (free * denominator) / numerator;
}

/** The side of the book that an order fills from. */
export const offersTo = (side: Side, book: NonNullable<MarketDataView['book']>): readonly BookLevel[] =>
  side === 'BUY' ? book.asks : book.bids;

/** Parts of an order's price in one of the prices here. */
const FINER = 10n ** BigInt(PRICE_DIGITS - PRICE_DECIMALS);

/** Whether an order at `price` does not reach an offer. */
const isBeyond = (side: Side, offered: bigint, price: bigint): boolean =>
  side === 'BUY' ? offered > price : offered < price;

/**
 * Whether an order at `price` would reach one of the account's own, which it passes over but which
 * the book has.
 * @param own - Open orders of the same market; one whose price cannot be read counts as reached.
 */
export const reachesOwn = (side: Side, price: bigint, own: readonly OrderView[]): boolean =>
  own.some((order) => {
    if (order.side === side) return false;
    const offered = readPrice(order.price);
    return offered === undefined || !isBeyond(side, offered, price * FINER);
  });

/**
 * Computes the part of an order that a book would fill at once.
 * @param offers - Of the other side, best first.
 * @returns `impactBips`: ten-thousandths by which the average price is worse than the best, rounded
 *   up. `null` when the order goes beyond the levels that were read.
 */
export function fillsNow(side: Side, size: bigint, price: bigint, offers: readonly BookLevel[]) {
  let filled = 0n;
  let paid = 0n;
  let isCut = offers.length >= BOOK_LEVELS;
  for (const offer of offers) {
    const offered = scaledPrice(offer.price);
    if (filled >= size || isBeyond(side, offered, price)) {
      isCut = false;
      break;
    }
    const open = size - filled;
    const taken = BigInt(offer.size) < open ? BigInt(offer.size) : open;
    filled += taken;
    paid += taken * offered;
  }
  if (isCut && filled < size) return null;
  const atBest = filled * scaledPrice(offers[0]?.price ?? '0');
  const worse = side === 'BUY' ? paid - atBest : atBest - paid;
  return { filled, impactBips: atBest === 0n ? 0 : Number((worse * BIPS + atBest - 1n) / atBest) };
}
