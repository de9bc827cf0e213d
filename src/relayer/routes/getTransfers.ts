import { kindsOf, requestHistory } from '../engine/history/requestHistory.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getTransfers: Route<'getTransfers'> = {
  handle: async ({ relayer, query }) => {
    if (query.accountId === undefined) throw new Refusal('USER_ID_EMPTY', 'accountId is missing');
    return requestHistory(relayer, query.accountId, kindsOf(query.transferTypes, ['transfer', 'nftDeploy']), query);
  },
};
