import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { hash32, queryAccountId, queryLimit, queryOffset, wordList } from '../fields.ts';
import { totalNum } from '../resources.ts';
import { z } from '../zod.ts';

/** Trades of an account, newest first. A row is a list of texts: createdAt (ms), id, side, size, price, market, feeAmount,
 * blockId, indexInBlock, accountId, tokenId, storageId, orderHash. */
export const getUserTrades = endpoint({
  name: 'getUserTrades',
  method: 'GET',
  path: '/api/v3/user/trades',
  summary: doc?.('Trades of an account'),
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      market: described(z.optional(z.string().check(z.maxLength(64))), doc?.('Trading pair, BASE-QUOTE')),
      orderHash: z.optional(hash32()),
      offset: z.optional(queryOffset()),
      limit: z.optional(queryLimit()),
      fillTypes: z.optional(wordList()),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({ totalNum: totalNum(), trades: described(z.array(z.array(z.string())), doc?.('One page of rows')) }),
});
