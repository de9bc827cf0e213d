import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftWithdrawals: Route<'getNftWithdrawals'> = {
  handle: (call) => nftHistory(call, 'withdrawals', ['nftWithdrawal'], describeNftMove),
};
