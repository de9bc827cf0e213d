import { listedSymbol } from './tokenSymbol.ts';

interface Market {
  readonly market: string;
  readonly baseTokenId: number;
  readonly quoteTokenId: number;
}

/** The tokens of a market; `null` for one that is not known. */
export interface Pair<Token> {
  readonly base: Token | null;
  readonly quote: Token | null;
}

const plain = (market: string): string => market.replace(/^AMM-/, '');

/** `BASE-QUOTE`, as markets are named. */
export const marketName = <Token extends { readonly tokenId: number; readonly symbol: string }>(
  { baseTokenId }: Pick<Market, 'baseTokenId'>,
  sell: Token,
  buy: Token,
): string => (sell.tokenId === baseTokenId ? [sell, buy] : [buy, sell]).map(listedSymbol).join('-');

/**
 * Finds a market by its name. The name alone does not tell the tokens, because symbols may contain
 * "-". Markets of NFT orders, `NFT-` and the symbol of the quote token, are not listed.
 */
export function pairOf<Token extends { readonly tokenId: number; readonly symbol: string }>(
  name: string,
  markets: readonly Market[],
  tokens: readonly Token[],
): Pair<Token> {
  const listed = markets.find(({ market }) => plain(market) === plain(name));
  const first = (fits: (token: Token) => boolean) => tokens.find(fits) ?? null;
  return listed
    ? {
        base: first(({ tokenId }) => tokenId === listed.baseTokenId),
        quote: first(({ tokenId }) => tokenId === listed.quoteTokenId),
      }
    : { base: null, quote: first((token) => name === `NFT-${listedSymbol(token)}`) };
}
