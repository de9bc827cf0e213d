import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, addressList } from '../fields.ts';
import { priceAnswer } from '../marketData.ts';
import { z } from '../zod.ts';

/**
 * Prices of tokens by their layer-1 address. The answer is in the old envelope, with a `resultInfo`
 * of code 0.
 */
export const getLatestTokenPrices = readEndpoint({
  path: '/api/v3/datacenter/getLatestTokenPrices',
  summary: doc?.('Prices of tokens by their layer-1 address'),
  apiKey: 'none',
  requestsPerSecond: null,
  query: () =>
    z.strictObject({
      tokens: described(z.optional(addressList()), doc?.('Layer-1 addresses; all tokens when absent')),
      currency: described(
        z.optional(z.string().check(z.regex(/^[A-Za-z]{3}$/, 'is not the code of a currency'))),
        doc?.('Currency; USD when absent'),
      ),
    }),
  answer: () =>
    z.looseObject({
      resultInfo: described(
        z.optional(
          z.looseObject({ code: described(z.int(), doc?.('0')), message: described(z.string(), doc?.('SUCCESS')) }),
        ),
        doc?.('No refusal: the envelope of older answers'),
      ),
      data: described(
        z.array(z.looseObject({ token: address(), price: described(priceAnswer(), doc?.('Price of a whole token')) })),
        doc?.('One entry for each token that has a price in this currency'),
      ),
    }),
});
