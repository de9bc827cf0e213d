import { kindsOf, requestHistory, userTransactionKinds } from '../engine/history/requestHistory.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getUserTransactions: Route<'getUserTransactions'> = {
  handle: async (call) =>
    requestHistory(
      call.relayer,
      keyAccount(call).accountId,
      kindsOf(call.query.types, userTransactionKinds),
      call.query,
    ),
};
