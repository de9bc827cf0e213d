import type { TokenFacts } from './review.ts';

/**
 * Operations that a standing approval can answer. Nothing that moves funds elsewhere, changes a key
 * or names an NFT is among it.
 */
export const standingOperations = ['submitOrder', 'cancelOrder'] as const;
type StandingOperation = (typeof standingOperations)[number];

/** The limits, complete. Plain JSON: stored, digested and read back. */
export interface StandingTerms {
  readonly operations: readonly StandingOperation[];
  readonly sellTokenId: number;
  readonly buyTokenId: number;
  readonly minPrice?: string | undefined;
  readonly maxPrice?: string | undefined;
  readonly orderVolume: string;
  readonly totalVolume: string;
  readonly rate: { readonly requests: number; readonly seconds: number };
  readonly validUntil: number;
}

export const allowsOrders = ({ operations }: Pick<StandingTerms, 'operations'>): boolean =>
  operations.includes('submitOrder');

/** The market that the limits speak of. */
export interface StandingMarket {
  readonly sell: TokenFacts;
  readonly buy: TokenFacts;
  /** `BASE-QUOTE` */
  readonly market: string;
  /** Seen from the base token. */
  readonly side: 'BUY' | 'SELL';
}

/** How a standing approval answers an operation. */
export interface Standing<Intent, Body, Shown> {
  /** Whether a draft lies within the limits that need no counting. */
  covers(
    limits: { readonly terms: StandingTerms; readonly shown: StandingMarket },
    draft: AnyDraft<Body, Shown>,
  ): boolean;
  /** Base units that it sells, at worst; they count towards the total. */
  sells?(draft: AnyDraft<Body, Shown>): bigint;
  /** Hash of the order that the site must have placed itself. */
  ownOrder?(draft: AnyDraft<Body, Shown>): string;
  /**
   * The intent with an end that lies within the limits, where it names none itself; `null` when it
   * does, or when the limits are of other tokens.
   * @param now - Unix seconds.
   */
  endingBy?(intent: Intent, terms: StandingTerms, now: number): Intent | null;
}

/** As `Draft` of an operation. */
interface AnyDraft<Body, Shown> {
  readonly body: Body;
  readonly shown: Shown;
}

export const digitsOf = (text: string) => {
  const [whole = '', fraction = ''] = text.split('.');
  return { value: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
};

export function comparePrices(a: string, b: string): number {
  const [x, y] = [digitsOf(a), digitsOf(b)];
  const [left, right] = [x.value * y.scale, y.value * x.scale];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares the price of two amounts with decimal text, exactly: negative when it is below. */
function comparePrice(
  quote: bigint,
  base: bigint,
  limit: string,
  quoteToken: TokenFacts,
  baseToken: TokenFacts,
): number {
  const { value, scale } = digitsOf(limit);
  const left = quote * 10n ** BigInt(baseToken.decimals) * scale;
  const right = value * base * 10n ** BigInt(quoteToken.decimals);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The parts of an order that the limits speak of. */
export interface LimitedOrder {
  readonly sellToken: { readonly tokenId: number; readonly volume: string };
  readonly buyToken: { readonly tokenId: number; readonly volume: string };
  readonly validUntil: number;
  readonly taker?: string | undefined;
}

/** True when orders are allowed, in the direction of this one. */
export const allowsDirection = (
  terms: StandingTerms,
  { sellToken, buyToken }: Pick<LimitedOrder, 'sellToken' | 'buyToken'>,
): boolean => allowsOrders(terms) && sellToken.tokenId === terms.sellTokenId && buyToken.tokenId === terms.buyTokenId;

/**
 * True when an order lies within the limits that need no counting. Edges are inside. An order that
 * names who may fill it is never inside: its price would be between the site and a friend of its
 * choice.
 */
export function orderFits(terms: StandingTerms, { sell, buy, side }: StandingMarket, order: LimitedOrder): boolean {
  if (!allowsDirection(terms, order)) return false;
  if (order.taker || order.validUntil > terms.validUntil) return false;
  const [sold, bought] = [BigInt(order.sellToken.volume), BigInt(order.buyToken.volume)];
  if (sold > BigInt(terms.orderVolume)) return false;
  const compare = (limit: string) =>
    side === 'SELL' ? comparePrice(bought, sold, limit, buy, sell) : comparePrice(sold, bought, limit, sell, buy);
  return (
    (terms.minPrice === undefined || compare(terms.minPrice) >= 0) &&
    (terms.maxPrice === undefined || compare(terms.maxPrice) <= 0)
  );
}

/** False when the limits, which are in base units, were approved for another token of this id. */
export const isUnchangedToken = (approved: TokenFacts, token: TokenFacts): boolean =>
  approved.decimals === token.decimals && approved.address.toLowerCase() === token.address.toLowerCase();

/**
 * True when the cancellation of this order is covered. That the site placed it is for the caller to
 * know.
 */
export const cancelFits = (
  { operations }: StandingTerms,
  { market, side }: StandingMarket,
  order: Pick<StandingMarket, 'market' | 'side'>,
): boolean => operations.includes('cancelOrder') && order.market.replace(/^AMM-/, '') === market && order.side === side;
