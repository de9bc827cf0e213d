import { describeNftRequest, nftHistory, nftKindsOf } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftTransactions: Route<'getNftTransactions'> = {
  handle: async (call) => {
    const { totalNum, rows } = await nftHistory(call, nftKindsOf(call.query.types), describeNftRequest);
    return { totalNum, transactions: rows };
  },
};
