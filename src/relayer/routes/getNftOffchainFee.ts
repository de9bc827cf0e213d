import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import { findAccount } from '../engine/accounts.ts';
import { feeTokens, quoteFee } from '../engine/fees.ts';
import { tierOf } from '../engine/feeTiers.ts';
import { currentGasPrice } from '../engine/gasPrice.ts';
import type { Route } from '../server/route.ts';

export const getNftOffchainFee: Route<'getNftOffchainFee'> = {
  handle: async ({ relayer, query }) => {
    const owner = (await findAccount(relayer.db, query.accountId))?.owner ?? '';
    // Deploying on the way costs both.
    const types =
      query.requestType === feeRequestTypes.NFT_WITHDRAWAL && query.deployInWithdraw
        ? [query.requestType, feeRequestTypes.NFT_DEPLOY]
        : [query.requestType];
    return {
      gasPrice: (await currentGasPrice(relayer)).wei.toString(),
      fees: await Promise.all(
        feeTokens(relayer).map(async (token) => {
          const parts = await Promise.all(types.map((type) => quoteFee(relayer, type, token, owner)));
          return {
            token: token.symbol,
            fee: parts.reduce((sum, part) => sum + part, 0n).toString(),
            discount: tierOf(relayer, owner).requestShare / 100,
          };
        }),
      ),
    };
  },
};
