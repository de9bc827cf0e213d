import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftMints: Route<'getNftMints'> = {
  handle: (call) => nftHistory(call, 'transfers', ['nftMint'], describeNftMove),
};
