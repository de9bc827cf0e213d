import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { queryAccountId } from '../fields.ts';
import { queryMarketList } from '../marketData.ts';

/** Rates of an account in one market. */
export const marketRates = deferred(() =>
  z.looseObject({
    symbol: z.string().describe('Trading pair'),
    makerRate: z.number().min(0).describe('Rate as a maker in ten-thousandths'),
    takerRate: z.number().min(0).describe('Rate as a taker in ten-thousandths'),
  }),
);

/** The rates of an account. */
export const getUserFeeRates = endpoint({
  name: 'getUserFeeRates',
  method: 'GET',
  path: '/api/v3/user/feeRates',
  summary: 'Rates of an account in markets',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'MARKET_UNSUPPORTED', ...apiKeyCodes],
  query: () => z.strictObject({ accountId: queryAccountId, markets: queryMarketList }),
  body: () => z.undefined(),
  answer: () => z.array(marketRates),
});
