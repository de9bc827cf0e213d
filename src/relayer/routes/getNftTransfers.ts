import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftTransfers: Route<'getNftTransfers'> = {
  handle: async (call) => {
    const { totalNum, rows } = await nftHistory(call, ['nftTransfer'], describeNftMove);
    return { totalNum, transfers: rows.map((row) => ({ ...row, id: String(row.id) })) };
  },
};
