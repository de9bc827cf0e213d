import { requestHistory } from '../engine/history/requestHistory.ts';
import type { Route } from '../server/route.ts';

export const getDeposits: Route<'getDeposits'> = {
  handle: async ({ relayer, query, account }) => requestHistory(relayer, account.accountId, ['deposit'], query),
};
