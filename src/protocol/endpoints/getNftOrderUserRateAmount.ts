import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, cacheOverdueAt, decimalText, queryAccountId } from '../fields.ts';
import { feeTokenAmount } from '../resources.ts';
import { z } from '../zod.ts';

/** Fee rate and least amounts of NFT orders; refreshed every 15 minutes. */
export const getNftOrderUserRateAmount = readEndpoint({
  path: '/api/v3/nft/info/orderUserRateAmount',
  summary: doc?.('Fee rate and amount limits of NFT orders'),
  requestsPerSecond: null,
  errorCodes: doc?.(['GAS_PRICE_UNAVAILABLE']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      nftTokenAddress: described(address(), doc?.('Contract of the NFT')),
      feeTokenSymbol: described(z.optional(z.string().check(z.maxLength(64))), doc?.('Fee token; all when absent')),
    }),
  answer: () =>
    z.looseObject({
      nftTokenAddress: address(),
      feeRate: described(z.int().check(z.minimum(0)), doc?.('Fee rate in ten-thousandths')),
      amounts: described(z.array(feeTokenAmount()), doc?.('One entry per token')),
      gasPrice: described(decimalText(), doc?.('Gas price in wei')),
      cacheOverdueAt: cacheOverdueAt(),
    }),
});
