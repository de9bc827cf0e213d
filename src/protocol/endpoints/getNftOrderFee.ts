import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, amountText, decimalText, queryAccountId, queryTokenId } from '../fields.ts';
import { nftFeeRate } from '../resources.ts';
import { z } from '../zod.ts';

export const getNftOrderFee = readEndpoint({
  path: '/api/v3/user/nft/orderFee',
  summary: doc?.('Fee rate of one NFT order'),
  requestsPerSecond: null,
  errorCodes: doc?.(['GAS_PRICE_UNAVAILABLE']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      nftTokenAddress: described(address(), doc?.('Contract of the NFT')),
      quoteToken: described(queryTokenId(), doc?.('Quote token of the market')),
      quoteAmount: described(amountText(), doc?.('Quote amount of the order in base units')),
    }),
  answer: () =>
    z.looseObject({
      feeRate: described(z.optional(nftFeeRate()), doc?.('Fee rate of the order')),
      gasPrice: z.optional(decimalText()),
    }),
});
