import { tokenPrices } from '../engine/marketData/tokenPrices.ts';
import type { Route } from '../server/route.ts';

export const getPrice: Route<'getPrice'> = {
  handle: async ({ relayer, query }) => ({
    prices: tokenPrices(relayer, query.legal).map(({ token, price }) => ({
      symbol: token.symbol,
      price,
      // The list is compared with the database's every second.
      updatedAt: relayer.clock.now(),
    })),
  }),
};
