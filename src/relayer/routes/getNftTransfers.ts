import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import type { Route } from '../server/route.ts';

export const getNftTransfers: Route<'getNftTransfers'> = {
  handle: (call) =>
    nftHistory(call, 'transfers', ['nftTransfer'], (relayer, row) => ({
      ...describeNftMove(relayer, row),
      id: String(row.id),
    })),
};
