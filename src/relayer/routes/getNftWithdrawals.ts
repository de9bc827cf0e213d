import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftWithdrawals: Route<'getNftWithdrawals'> = {
  handle: async (call) => {
    const { totalNum, rows } = await nftHistory(call, ['nftWithdrawal'], describeNftMove);
    return { totalNum, withdrawals: rows };
  },
};
