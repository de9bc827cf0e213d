import { describeNftMove, nftHistory } from '../engine/history/nftHistory.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getNftWithdrawals: Route<'getNftWithdrawals'> = {
  handle: async (call) => {
    const { accountId } = keyAccount(call);
    const { totalNum, rows } = await nftHistory(
      call.relayer,
      accountId,
      ['nftWithdrawal'],
      call.query,
      describeNftMove,
    );
    return { totalNum, withdrawals: rows };
  },
};
