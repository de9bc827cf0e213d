import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { onePage } from '../onePage.ts';
import { userHistoryQuery, userTransaction } from './getUserTransactions.ts';

/** Withdrawals of an account, newest first. */
export const getWithdrawals = readEndpoint({
  path: '/api/v3/user/withdrawals',
  summary: doc?.('Withdrawals of an account'),
  requestsPerSecond: null,
  query: () => userHistoryQuery(),
  answer: () => onePage('transactions', userTransaction()),
});
