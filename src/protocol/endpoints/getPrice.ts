import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { millisecondsOrText } from '../fields.ts';
import { priceAnswer } from '../marketData.ts';
import { z } from '../zod.ts';

export const getPrice = readEndpoint({
  path: '/api/v3/price',
  summary: doc?.('Prices of tokens in a legal currency'),
  apiKey: 'none',
  query: () =>
    z.strictObject({
      legal: described(
        z.string().check(z.regex(/^[A-Za-z]{3}$/, 'is not the code of a currency')),
        doc?.('Currency, such as USD'),
      ),
    }),
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
