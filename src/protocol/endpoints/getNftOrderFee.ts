import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { address, amountText, decimalText, queryAccountId, queryTokenId } from '../fields.ts';
import { nftFeeRate } from '../resources.ts';

/** Fee rate of one NFT order. */
export const getNftOrderFee = endpoint({
  name: 'getNftOrderFee',
  method: 'GET',
  path: '/api/v3/user/nft/orderFee',
  summary: 'Fee rate of one NFT order',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'GAS_PRICE_UNAVAILABLE', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      nftTokenAddress: address.describe('Contract of the NFT'),
      quoteToken: queryTokenId.describe('Quote token of the market'),
      quoteAmount: amountText.describe('Quote amount of the order in base units'),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      feeRate: nftFeeRate.optional().describe('Fee rate of the order'),
      gasPrice: decimalText.optional(),
    }),
});
