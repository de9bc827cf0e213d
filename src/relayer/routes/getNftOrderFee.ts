import { currentGasPrice } from '../engine/gasPrice.ts';
import { nftOrderLimits, nftRateFor } from '../engine/nft/nftOrderRates.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getNftOrderFee: Route<'getNftOrderFee'> = {
  handle: async ({ relayer, query }) => {
    const quote = relayer.catalog.token(query.quoteToken);
    if (!quote?.paysFees || !quote.enabled)
      throw new Refusal('INVALID_ARGUMENT', `quoteToken: NFT orders are not quoted in token ${query.quoteToken}`);
    const { wei } = await currentGasPrice(relayer);
    const rate = nftRateFor(nftOrderLimits(relayer, wei, quote, query.nftTokenAddress), BigInt(query.quoteAmount));
    return { feeRate: { nftTokenAddress: query.nftTokenAddress, rate }, gasPrice: wei.toString() };
  },
};
