import { requestHistory } from '../engine/history/requestHistory.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getWithdrawals: Route<'getWithdrawals'> = {
  handle: async (call) => requestHistory(call.relayer, keyAccount(call).accountId, ['withdrawal'], call.query),
};
