import { ammHistory } from '../engine/history/ammHistory.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getAmmTransactions: Route<'getAmmTransactions'> = {
  handle: async ({ relayer, query }) => {
    if (query.accountId === undefined) throw new Refusal('USER_ID_EMPTY', 'accountId is missing');
    return ammHistory(relayer, query.accountId, query);
  },
};
