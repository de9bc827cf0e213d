import { DEPTH_LEVELS } from '../engine/marketData/depth.ts';
import type { Route } from '../server/route.ts';
import { orderBookMarkets } from './getMarkets.ts';

/** Order books and pools: a pool stands as a market of its own, under its AMM name. */
export const getMixMarkets: Route<'getMixMarkets'> = {
  handle: async ({ relayer }) => {
    const { catalog } = relayer;
    const pools = catalog.pools.filter(catalog.isStanding).map((pool) => ({
      market: pool.market,
      baseTokenId: pool.tokens[0].tokenId,
      quoteTokenId: pool.tokens[1].tokenId,
      precisionForPrice: catalog.priceDigits(pool),
      orderbookAggLevels: DEPTH_LEVELS,
      enabled: pool.enabled,
      status: 1,
      createdAt: String(pool.createdAt),
    }));
    return { markets: [...orderBookMarkets(relayer), ...pools] };
  },
};
