import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getNftMints: Route<'getNftMints'> = {
  handle: async (call) => {
    const { totalNum, rows } = await nftHistory(
      call.relayer,
      keyAccount(call).accountId,
      ['nftMint'],
      call.query,
      describeNftMove,
    );
    return { totalNum, transfers: rows };
  },
};
