import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftMints: Route<'getNftMints'> = {
  handle: async (call) => {
    const { totalNum, rows } = await nftHistory(call, ['nftMint'], describeNftMove);
    return { totalNum, transfers: rows };
  },
};
