import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { accountId, address, decimalText, hashAnswer, milliseconds, queryInteger, queryOffset } from '../fields.ts';
import { priceAnswer } from '../marketData.ts';
import { totalNum } from '../resources.ts';

/** A trade of a pool. */
const ammTrade = deferred(() =>
  z.looseObject({
    accountId,
    orderHash: hashAnswer,
    market: z.string().describe('AMM-BASE-QUOTE'),
    side: z.string().describe("The trader's side, BUY or SELL"),
    size: decimalText.describe('Base amount'),
    price: priceAnswer,
    feeAmount: decimalText.describe('Fee in the token bought'),
    createdAt: milliseconds,
  }),
);

/** Trades of a pool. */
export const getAmmTrades = endpoint({
  name: 'getAmmTrades',
  method: 'GET',
  path: '/api/v3/amm/trades',
  summary: 'The newest trades of a pool',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: () =>
    z.strictObject({
      ammPoolAddress: address,
      limit: queryInteger().optional().describe('Rows to return; 20 when absent, 50 at most'),
      offset: queryOffset.optional(),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      totalNum,
      trades: z.array(ammTrade).optional().describe('Newest first'),
      transactions: z.array(ammTrade).optional().describe('The same list, for clients that read this name'),
    }),
});
