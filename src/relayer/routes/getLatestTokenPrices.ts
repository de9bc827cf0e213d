import { splitList } from '../../protocol/fields.ts';
import { tokenPrices } from '../engine/marketData/tokenPrices.ts';
import type { Route } from '../server/route.ts';

export const getLatestTokenPrices: Route<'getLatestTokenPrices'> = {
  handle: async ({ relayer, query }) => {
    const asked = query.tokens === undefined ? undefined : new Set(splitList(query.tokens.toLowerCase()));
    return {
      resultInfo: { code: 0, message: 'SUCCESS' },
      data: tokenPrices(relayer, query.currency ?? 'USD')
        .map(({ token, price }) => ({ token: token.address, price }))
        .filter(({ token }) => asked === undefined || asked.has(token.toLowerCase())),
    };
  },
};
