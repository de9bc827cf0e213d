import { DEPTH_LEVELS } from '../engine/marketData/depth.ts';
import type { Relayer } from '../engine/relayer.ts';
import type { Route } from '../server/route.ts';

/** Bits of a market's status. */
const HAS_POOL = 1;
const HAS_ORDER_BOOK = 2;

/** The pairs with an order book, as the relayer lists them. */
export const orderBookMarkets = ({ catalog }: Relayer) =>
  catalog.markets.map(({ market, base, quote, precisionForPrice, enabled, createdAt }) => ({
    market,
    baseTokenId: base.tokenId,
    quoteTokenId: quote.tokenId,
    precisionForPrice,
    orderbookAggLevels: DEPTH_LEVELS,
    enabled,
    status: HAS_ORDER_BOOK + (catalog.poolOf(base.tokenId, quote.tokenId) ? HAS_POOL : 0),
    createdAt: String(createdAt),
  }));

export const getMarkets: Route<'getMarkets'> = {
  handle: async ({ relayer }) => ({ markets: orderBookMarkets(relayer) }),
};
