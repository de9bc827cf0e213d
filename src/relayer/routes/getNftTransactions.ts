import { describeNftRequest, nftHistory, nftKindsOf } from '../engine/history/nftHistory.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getNftTransactions: Route<'getNftTransactions'> = {
  handle: async (call) => {
    const { accountId } = keyAccount(call);
    const { totalNum, rows } = await nftHistory(
      call.relayer,
      accountId,
      nftKindsOf(call.query.types),
      call.query,
      describeNftRequest,
    );
    return { totalNum, transactions: rows };
  },
};
