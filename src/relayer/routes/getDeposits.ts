import { requestHistory } from '../engine/history/requestHistory.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getDeposits: Route<'getDeposits'> = {
  handle: async (call) => requestHistory(call.relayer, keyAccount(call).accountId, ['deposit'], call.query),
};
