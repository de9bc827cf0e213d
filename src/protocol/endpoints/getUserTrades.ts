import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { hash32, queryAccountId, queryLimit, queryOffset, wordList } from '../fields.ts';
import { totalNum } from '../resources.ts';

/** Trades of an account, newest first. A row is a list of texts: createdAt (ms), id, side, size, price, market, feeAmount,
 * blockId, indexInBlock, accountId, tokenId, storageId, orderHash. */
export const getUserTrades = endpoint({
  name: 'getUserTrades',
  method: 'GET',
  path: '/api/v3/user/trades',
  summary: 'Trades of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      market: z.string().max(64).optional().describe('Trading pair, BASE-QUOTE'),
      orderHash: hash32.optional(),
      offset: queryOffset.optional(),
      limit: queryLimit.optional(),
      fillTypes: wordList.optional(),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, trades: z.array(z.array(z.string())).describe('One page of rows') }),
});
