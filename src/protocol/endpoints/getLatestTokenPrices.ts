import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { address, addressList } from '../fields.ts';
import { priceAnswer } from '../marketData.ts';

/** Prices of tokens by their layer-1 address. The answer is in the old envelope, with a `resultInfo` of code 0. */
export const getLatestTokenPrices = endpoint({
  name: 'getLatestTokenPrices',
  method: 'GET',
  path: '/api/v3/datacenter/getLatestTokenPrices',
  summary: 'Prices of tokens by address',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: () =>
    z.strictObject({
      tokens: addressList.optional().describe('Layer-1 addresses; all tokens when absent'),
      currency: z
        .string()
        .regex(/^[A-Za-z]{3}$/, 'is not the code of a currency')
        .optional()
        .describe('Currency; USD when absent'),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      resultInfo: z
        .looseObject({ code: z.int().describe('0'), message: z.string().describe('SUCCESS') })
        .optional()
        .describe('No refusal: the envelope of older answers'),
      data: z
        .array(z.looseObject({ token: address, price: priceAnswer.describe('Price of a whole token') }))
        .describe('One entry for each token that has a price in this currency'),
    }),
});
