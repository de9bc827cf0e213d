import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { totalNum } from '../resources.ts';
import { userHistoryQuery, userTransaction } from './getUserTransactions.ts';

/** Deposits of an account, newest first. */
export const getDeposits = endpoint({
  name: 'getDeposits',
  method: 'GET',
  path: '/api/v3/user/deposits',
  summary: 'Deposits of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => userHistoryQuery,
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, transactions: z.array(userTransaction).describe('One page of rows') }),
});
