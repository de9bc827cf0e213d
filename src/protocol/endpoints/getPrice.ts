import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { millisecondsOrText } from '../fields.ts';
import { priceAnswer } from '../marketData.ts';

/** Prices of tokens in a legal currency. */
export const getPrice = endpoint({
  name: 'getPrice',
  method: 'GET',
  path: '/api/v3/price',
  summary: 'Prices of tokens in a legal currency',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () =>
    z.strictObject({
      legal: z
        .string()
        .regex(/^[A-Za-z]{3}$/, 'is not the code of a currency')
        .describe('Currency, such as USD'),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      prices: z
        .array(
          z.looseObject({
            symbol: z.string().describe('Token symbol'),
            price: priceAnswer.describe('Price of a whole token'),
            updatedAt: millisecondsOrText,
          }),
        )
        .describe('One entry for each token that has a price in this currency'),
    }),
});
