import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { accountId, decimalText, integerList, queryAccountId, tokenId } from '../fields.ts';
import { pendingBalance } from '../resources.ts';

/** Balance of one token, base units. */
export const balance = deferred(() =>
  z.looseObject({
    accountId: accountId.optional(),
    tokenId,
    total: decimalText.describe('Whole balance'),
    locked: decimalText.describe('Part of the total held by orders and pending withdrawals'),
    pending: pendingBalance,
  }),
);
export type Balance = z.output<typeof balance>;

/**
 * Balances of an account. The answer is a bare list. A single object, which the interface document leaves possible, is
 * read as a list of one.
 */
export const getBalances = endpoint({
  name: 'getBalances',
  method: 'GET',
  path: '/api/v3/user/balances',
  summary: 'Token balances of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      tokens: integerList.optional().describe('Comma-separated token ids; all when absent'),
    }),
  body: () => z.undefined(),
  answer: () => z.preprocess((answer) => (Array.isArray(answer) ? answer : [answer]), z.array(balance)),
});
