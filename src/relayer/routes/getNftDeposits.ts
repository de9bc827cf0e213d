import { describeNftDeposit, nftHistory } from '../engine/history/nftHistory.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getNftDeposits: Route<'getNftDeposits'> = {
  handle: async (call) => {
    const { totalNum, rows } = await nftHistory(
      call.relayer,
      keyAccount(call).accountId,
      ['nftDeposit'],
      call.query,
      describeNftDeposit,
    );
    return { totalNum, deposits: rows };
  },
};
