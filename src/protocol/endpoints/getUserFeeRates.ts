import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { queryAccountId } from '../fields.ts';
import { queryMarketList } from '../marketData.ts';
import { once } from '../once.ts';
import { z } from '../zod.ts';

/** Rates of an account in one market. */
export const marketRates = once(() =>
  z.looseObject({
    symbol: described(z.string(), doc?.('Trading pair')),
    makerRate: described(z.number().check(z.minimum(0)), doc?.('Rate as a maker in ten-thousandths')),
    takerRate: described(z.number().check(z.minimum(0)), doc?.('Rate as a taker in ten-thousandths')),
  }),
);

/**
 * Rates of an account. Some relayers answer the rates of one market as a single object, which is
 * read as a list of one.
 */
export const getUserFeeRates = readEndpoint({
  path: '/api/v3/user/feeRates',
  summary: doc?.('Rates of an account in markets'),
  requestsPerSecond: null,
  errorCodes: doc?.(['MARKET_UNSUPPORTED']),
  query: () => z.strictObject({ accountId: queryAccountId(), markets: queryMarketList() }),
  answer: () =>
    z.pipe(
      z.transform((answer: unknown) => (Array.isArray(answer) ? answer : [answer])),
      z.array(marketRates()),
    ),
});
