import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { decimalText, milliseconds, queryAccountId } from '../fields.ts';
import { tokenAmount } from '../resources.ts';

/** Two least amounts: at the user's fee rate, and at the highest rate of 0.6 %, which allows smaller orders. */
export const getOrderUserRateAmount = endpoint({
  name: 'getOrderUserRateAmount',
  method: 'GET',
  path: '/api/v3/user/orderUserRateAmount',
  summary: 'Fee rate and least amounts of orders in a market',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'MARKET_UNSUPPORTED', 'GAS_PRICE_UNAVAILABLE', ...apiKeyCodes],
  query: () =>
    z.strictObject({ accountId: queryAccountId, market: z.string().max(64).describe('Trading pair, BASE-QUOTE') }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      gasPrice: decimalText.optional().describe('Gas price in wei'),
      amounts: z.array(tokenAmount).optional().describe('One entry per token'),
      cacheOverdueAt: milliseconds.optional().describe('When these numbers are refreshed'),
    }),
});
