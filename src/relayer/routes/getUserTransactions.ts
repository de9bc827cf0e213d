import { kindsOf, requestHistory, userTransactionKinds } from '../engine/history/requestHistory.ts';
import type { Route } from '../server/route.ts';

export const getUserTransactions: Route<'getUserTransactions'> = {
  handle: async ({ relayer, query, account }) =>
    requestHistory(relayer, account.accountId, kindsOf(query.types, userTransactionKinds), query),
};
