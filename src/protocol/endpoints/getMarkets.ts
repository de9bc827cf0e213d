import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { erc20TokenId, millisecondsOrText } from '../fields.ts';

/** One trading pair. */
export const marketInfo = deferred(() =>
  z.looseObject({
    market: z.string().describe('BASE-QUOTE by symbol; AMM-… for pools'),
    baseTokenId: erc20TokenId,
    quoteTokenId: erc20TokenId,
    precisionForPrice: z.int().optional().describe('Digits of a price'),
    orderbookAggLevels: z.int().optional().describe('Levels of price aggregation in the order book'),
    enabled: z.boolean().describe('Open for orders'),
    status: z.int().optional().describe('Bit 0: has a pool; bit 1: has an order book'),
    createdAt: millisecondsOrText.optional(),
  }),
);

/** The order book markets. */
export const getMarkets = endpoint({
  name: 'getMarkets',
  method: 'GET',
  path: '/api/v3/exchange/markets',
  summary: 'The order book markets',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () => z.looseObject({ markets: z.array(marketInfo).describe('Trading pairs') }),
});
