import { describeNftDeposit, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftDeposits: Route<'getNftDeposits'> = {
  handle: (call) => nftHistory(call, 'deposits', ['nftDeposit'], describeNftDeposit),
};
