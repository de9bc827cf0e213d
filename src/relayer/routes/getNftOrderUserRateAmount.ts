import { orderAmountsOf } from '../engine/catalog.ts';
import { feeTokens } from '../engine/fees.ts';
import { nftBipsOf } from '../engine/feeTiers.ts';
import { currentGasPrice } from '../engine/gasPrice.ts';
import { nftOrderLimits } from '../engine/nft/nftOrderRates.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getNftOrderUserRateAmount: Route<'getNftOrderUserRateAmount'> = {
  handle: async ({ relayer, query }) => {
    const { wei, cacheOverdueAt } = await currentGasPrice(relayer);
    const tokens = feeTokens(relayer).filter(
      (token) => query.feeTokenSymbol === undefined || token.symbol === query.feeTokenSymbol,
    );
    if (tokens.length === 0)
      throw new Refusal('INVALID_ARGUMENT', `feeTokenSymbol: NFT orders are not quoted in ${query.feeTokenSymbol}`);
    return {
      nftTokenAddress: query.nftTokenAddress,
      feeRate: nftBipsOf(relayer, query.nftTokenAddress),
      amounts: tokens.map((token) => {
        const limits = nftOrderLimits(relayer, wei, token, query.nftTokenAddress);
        return {
          feeTokenSymbol: token.symbol,
          minAmount: limits.minAmount.toString(),
          tradeCost: limits.tradeCost.toString(),
          marketOrderInfo: orderAmountsOf(token),
        };
      }),
      gasPrice: wei.toString(),
      cacheOverdueAt,
    };
  },
};
