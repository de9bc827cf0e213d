import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { fillTypes, queryInteger } from '../fields.ts';
import { publicTrades, queryMarket } from '../marketData.ts';
import { z } from '../zod.ts';

/** The newest trades of a market, of order book and pool. */
export const getTrades = readEndpoint({
  path: '/api/v3/trade',
  summary: doc?.('The newest trades of a market'),
  apiKey: 'none',
  query: () =>
    z.strictObject({
      market: queryMarket(),
      limit: described(z.optional(queryInteger()), doc?.('Rows to return; 20 when absent, 50 at most')),
      fillTypes: z.optional(fillTypes()),
    }),
  answer: publicTrades,
});
