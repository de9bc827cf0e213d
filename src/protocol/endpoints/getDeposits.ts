import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { onePage } from '../onePage.ts';
import { userHistoryQuery, userTransaction } from './getUserTransactions.ts';

/** Deposits of an account, newest first. */
export const getDeposits = readEndpoint({
  path: '/api/v3/user/deposits',
  summary: doc?.('Deposits of an account'),
  requestsPerSecond: null,
  query: () => userHistoryQuery(),
  answer: () => onePage('transactions', userTransaction()),
});
