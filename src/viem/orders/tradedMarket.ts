import type { RelayerClient } from '../ask.ts';
import { ParameterError } from '../errors.ts';
import type { GetMarketsReturnType, GetTokensReturnType, MarketInfo } from '../generated/methods.ts';
import { getMarkets, getTokens } from '../generated/reads.ts';

/** A row of `getTokens`. */
export type ListedToken = GetTokensReturnType[number];

/** A market with its two tokens: all that turns prices and sizes into the amounts of an order. */
export interface TradedMarket {
  readonly market: MarketInfo;
  readonly base: ListedToken;
  readonly quote: ListedToken;
}

/**
 * Finds a market in what `getMarkets` and `getTokens` answer.
 * @throws {ParameterError} `market`: there is no such market, or it takes no orders now.
 */
export function findTradedMarket(
  { markets }: Pick<GetMarketsReturnType, 'markets'>,
  tokens: GetTokensReturnType,
  name: string,
): TradedMarket {
  const market = markets.find((one) => one.market === name);
  const token = (id: number | undefined) => tokens.find(({ tokenId }) => tokenId === id);
  const base = token(market?.baseTokenId);
  const quote = token(market?.quoteTokenId);
  if (!market || !base || !quote) throw new ParameterError(`market: the relayer has no market ${name}`);
  if (!market.enabled) throw new ParameterError(`market: ${name} takes no orders now`);
  return { market, base, quote };
}

/** Reads a market of the relayer; `findTradedMarket` for a page that has the lists already. */
export async function readTradedMarket(client: RelayerClient, name: string): Promise<TradedMarket> {
  const [markets, tokens] = await Promise.all([getMarkets(client), getTokens(client)]);
  return findTradedMarket(markets, tokens, name);
}
