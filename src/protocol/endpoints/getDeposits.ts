import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { totalNum } from '../resources.ts';
import { z } from '../zod.ts';
import { userHistoryQuery, userTransaction } from './getUserTransactions.ts';

/** Deposits of an account, newest first. */
export const getDeposits = endpoint({
  name: 'getDeposits',
  method: 'GET',
  path: '/api/v3/user/deposits',
  summary: doc?.('Deposits of an account'),
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => userHistoryQuery(),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      totalNum: totalNum(),
      transactions: described(z.array(userTransaction()), doc?.('One page of rows')),
    }),
});
