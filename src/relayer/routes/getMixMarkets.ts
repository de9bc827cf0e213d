import type { Route } from '../server/route.ts';
import { getMarkets } from './getMarkets.ts';

/** Order books and pools: a pool stands as a market of its own, under its AMM name. */
export const getMixMarkets: Route<'getMixMarkets'> = {
  handle: async (call) => {
    const { markets } = await getMarkets.handle(call as never);
    const pools = call.relayer.catalog.pools.map((pool) => ({
      market: pool.market,
      baseTokenId: pool.tokens[0].tokenId,
      quoteTokenId: pool.tokens[1].tokenId,
      precisionForPrice: 6,
      orderbookAggLevels: 0,
      enabled: pool.enabled,
      status: 1,
      createdAt: String(pool.createdAt),
    }));
    return { markets: [...markets, ...pools] };
  },
};
