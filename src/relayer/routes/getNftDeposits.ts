import { describeNftDeposit, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftDeposits: Route<'getNftDeposits'> = {
  handle: async (call) => {
    const { totalNum, rows } = await nftHistory(call, ['nftDeposit'], describeNftDeposit);
    return { totalNum, deposits: rows };
  },
};
