import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { millisecondsOrText } from '../fields.ts';
import { priceAnswer } from '../marketData.ts';
import { z } from '../zod.ts';

/** Prices of tokens in a legal currency. */
export const getPrice = endpoint({
  name: 'getPrice',
  method: 'GET',
  path: '/api/v3/price',
  summary: doc?.('Prices of tokens in a legal currency'),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: () =>
    z.strictObject({
      legal: described(
        z.string().check(z.regex(/^[A-Za-z]{3}$/, 'is not the code of a currency')),
        doc?.('Currency, such as USD'),
      ),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      prices: described(
        z.array(
          z.looseObject({
            symbol: described(z.string(), doc?.('Token symbol')),
            price: described(priceAnswer(), doc?.('Price of a whole token')),
            updatedAt: millisecondsOrText(),
          }),
        ),
        doc?.('One entry for each token that has a price in this currency'),
      ),
    }),
});
