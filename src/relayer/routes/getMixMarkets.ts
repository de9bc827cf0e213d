import type { Route } from '../server/route.ts';
import { orderBookMarkets } from './getMarkets.ts';

/** Order books and pools: a pool stands as a market of its own, under its AMM name. */
export const getMixMarkets: Route<'getMixMarkets'> = {
  handle: async ({ relayer }) => {
    const pools = relayer.catalog.pools.map((pool) => ({
      market: pool.market,
      baseTokenId: pool.tokens[0].tokenId,
      quoteTokenId: pool.tokens[1].tokenId,
      precisionForPrice: 6,
      orderbookAggLevels: 0,
      enabled: pool.enabled,
      status: 1,
      createdAt: String(pool.createdAt),
    }));
    return { markets: [...orderBookMarkets(relayer), ...pools] };
  },
};
