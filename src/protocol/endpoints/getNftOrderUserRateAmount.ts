import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { address, decimalText, milliseconds, queryAccountId } from '../fields.ts';
import { feeTokenAmount } from '../resources.ts';

/** Fee rate and least amounts of NFT orders; refreshed every 15 minutes. */
export const getNftOrderUserRateAmount = endpoint({
  name: 'getNftOrderUserRateAmount',
  method: 'GET',
  path: '/api/v3/nft/info/orderUserRateAmount',
  summary: 'Fee rate and amount limits of NFT orders',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'GAS_PRICE_UNAVAILABLE', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      nftTokenAddress: address.describe('Contract of the NFT'),
      feeTokenSymbol: z.string().max(64).optional().describe('Fee token; all when absent'),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      nftTokenAddress: address,
      feeRate: z.int().min(0).describe('Fee rate in ten-thousandths'),
      amounts: z.array(feeTokenAmount).describe('One entry per token'),
      gasPrice: decimalText.describe('Gas price in wei'),
      cacheOverdueAt: milliseconds.describe('When these numbers are refreshed'),
    }),
});
