import type { TokenFacts } from '../../operations/review.ts';

export interface MarketView {
  readonly market: string;
  readonly base: TokenFacts;
  readonly quote: TokenFacts;
}

/**
 * Orders at one price. Prices are plain decimal texts above zero, quote for one base; sizes base
 * units of the base token.
 */
export interface BookLevel {
  readonly price: string;
  readonly size: string;
}

export interface CandleView {
  /** Unix milliseconds at which it opened. */
  readonly at: number;
  readonly open: string;
  readonly close: string;
  readonly high: string;
  readonly low: string;
}

export interface MarketTrade {
  /** Unix milliseconds. */
  readonly at: number;
  /** The taker's. */
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly size: string;
}

/**
 * The relayer's data of a market: its word, covered by no signature and part of none. A part is
 * `null` where the relayer does not tell it, or tells it in a way that cannot be read.
 */
export interface MarketDataView {
  /** Unix milliseconds of the reading. */
  readonly at: number;
  /** Each price is `null` while there is none. */
  readonly ticker: { readonly open: string | null; readonly close: string | null } | null;
  /** Both sides best first, with what the market's pool offers. */
  readonly book: { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] } | null;
  /** Oldest first; intervals without a trade are left out. */
  readonly candles: readonly CandleView[] | null;
  /** Newest first. */
  readonly trades: readonly MarketTrade[] | null;
}

/**
 * The relayer's values of whole tokens: its word, covered by no signature. Only for looking at:
 * nothing that is checked or signed follows from it.
 */
export interface PricesView {
  readonly currency: string;
  readonly rates: readonly {
    readonly tokenId: number;
    /** Units of the currency for a whole token, in parts of 10^-30. */
    readonly now: string;
    /** The same 24 hours before; `null` where that is not known. */
    readonly before: string | null;
  }[];
}
