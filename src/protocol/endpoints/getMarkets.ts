import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { erc20TokenId, millisecondsOrText } from '../fields.ts';
import { once } from '../once.ts';
import { z } from '../zod.ts';

/** One trading pair. */
export const marketInfo = once(() =>
  z.looseObject({
    market: described(z.string(), doc?.('BASE-QUOTE by symbol; AMM-… for pools')),
    baseTokenId: erc20TokenId(),
    quoteTokenId: erc20TokenId(),
    precisionForPrice: described(z.optional(z.int()), doc?.('Digits of a price')),
    orderbookAggLevels: described(z.optional(z.int()), doc?.('Levels of price aggregation in the order book')),
    enabled: described(z.boolean(), doc?.('Open for orders')),
    status: described(z.optional(z.int()), doc?.('Bit 0: has a pool; bit 1: has an order book')),
    createdAt: z.optional(millisecondsOrText()),
  }),
);

export const getMarkets = readEndpoint({
  path: '/api/v3/exchange/markets',
  summary: doc?.('The order book markets'),
  apiKey: 'none',
  answer: () => z.looseObject({ markets: described(z.array(marketInfo()), doc?.('Trading pairs')) }),
});
