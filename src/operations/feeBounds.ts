/**
 * Measures of a fee besides the relayer's quote, all in base units of the fee token. Each part is
 * absent where it cannot be had.
 */
export interface FeeBounds {
  /**
   * The usual fee of this kind: paid by this account before, else listed when this wallet first saw
   * the exchange.
   */
  readonly usual?: { readonly volume: string; readonly source: 'paid' | 'listed' };
  /** For an NFT without a usual fee: the listed fee of such a request about a token. */
  readonly ofTokens?: string;
  /** Free balance of the fee token. */
  readonly balance?: string;
  /** Amount that the request moves. */
  readonly moved?: string;
}

/** A fee that was signed. */
export interface SignedFee {
  /** Kind of request, one of `feeRequestTypes`. */
  readonly requestType: number;
  readonly tokenId: number;
  /** Base units, decimal text. */
  readonly volume: string;
}

/** Fees that an exchange lists: base units by kind of request and token id. */
export type FeeList = Readonly<Record<number, Readonly<Record<number, string>>>>;

/** A relayer's quote: symbols of tokens, and base units as decimal text. */
export interface Fees {
  readonly fees: readonly { readonly token: string; readonly fee: string }[];
}
