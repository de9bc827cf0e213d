import { describeNftRequest, nftHistory, nftKindsOf } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftTransactions: Route<'getNftTransactions'> = {
  handle: (call) => nftHistory(call, 'transactions', nftKindsOf(call.query.types), describeNftRequest),
};
