import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { cacheOverdueAt, decimalText, queryAccountId } from '../fields.ts';
import { tokenAmount } from '../resources.ts';
import { z } from '../zod.ts';

/**
 * Two least amounts: at the user's fee rate, and at the highest rate of 0.6 %, which allows smaller
 * orders.
 */
export const getOrderUserRateAmount = readEndpoint({
  path: '/api/v3/user/orderUserRateAmount',
  summary: doc?.('Fee rate and least amounts of orders in a market'),
  requestsPerSecond: null,
  errorCodes: doc?.(['MARKET_UNSUPPORTED', 'GAS_PRICE_UNAVAILABLE']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      market: described(z.string().check(z.maxLength(64)), doc?.('Trading pair, BASE-QUOTE')),
    }),
  answer: () =>
    z.looseObject({
      gasPrice: described(z.optional(decimalText()), doc?.('Gas price in wei')),
      amounts: described(z.optional(z.array(tokenAmount())), doc?.('One entry per token')),
      cacheOverdueAt: z.optional(cacheOverdueAt()),
    }),
});
