import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { accountId, address, decimalText, looseHash, milliseconds, queryInteger } from '../fields.ts';
import { priceAnswer } from '../marketData.ts';
import { once } from '../once.ts';
import { totalNum } from '../resources.ts';
import { z } from '../zod.ts';

/** A trade of a pool. */
const ammTrade = once(() =>
  z.looseObject({
    accountId: accountId(),
    orderHash: looseHash(),
    market: described(z.string(), doc?.('AMM-BASE-QUOTE')),
    side: described(z.string(), doc?.("The trader's side, BUY or SELL")),
    size: described(decimalText(), doc?.('Base amount')),
    price: priceAnswer(),
    feeAmount: described(decimalText(), doc?.('Fee in the token bought')),
    createdAt: milliseconds(),
  }),
);

/**
 * Most trades that a page may skip. Anybody may ask, and the trades before the page are read to be
 * skipped: without a bound one client could have all trades of a market read with each request.
 */
export const MAX_TRADES_SKIPPED = 10_000;

export const getAmmTrades = readEndpoint({
  path: '/api/v3/amm/trades',
  summary: doc?.('The newest trades of a pool'),
  apiKey: 'none',
  query: () =>
    z.strictObject({
      ammPoolAddress: address(),
      limit: described(z.optional(queryInteger()), doc?.('Rows to return; 20 when absent, 50 at most')),
      offset: described(z.optional(queryInteger(MAX_TRADES_SKIPPED)), doc?.('Rows to skip')),
    }),
  answer: () =>
    z.looseObject({
      totalNum: totalNum(),
      trades: described(z.optional(z.array(ammTrade())), doc?.('Newest first')),
      transactions: described(z.optional(z.array(ammTrade())), doc?.('The same list, for clients that read this name')),
    }),
});
