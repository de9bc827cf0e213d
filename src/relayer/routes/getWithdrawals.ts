import { requestHistory } from '../engine/history/requestHistory.ts';
import type { Route } from '../server/route.ts';

export const getWithdrawals: Route<'getWithdrawals'> = {
  handle: async ({ relayer, query, account }) => requestHistory(relayer, account.accountId, ['withdrawal'], query),
};
