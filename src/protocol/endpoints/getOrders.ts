import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { commaList, queryAccountId, queryLimit, queryMilliseconds, queryOffset, wordList } from '../fields.ts';
import { totalNum } from '../resources.ts';
import { orderSide } from '../statuses.ts';
import { z } from '../zod.ts';
import { orderDetail } from './getOrder.ts';

/** Orders of an account, newest first. */
export const getOrders = readEndpoint({
  path: '/api/v3/orders',
  summary: doc?.('Orders of an account'),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      market: described(z.optional(z.string().check(z.maxLength(64))), doc?.('Trading pair, BASE-QUOTE')),
      start: described(z.optional(queryMilliseconds()), doc?.('Created at or after, ms')),
      end: described(z.optional(queryMilliseconds()), doc?.('Created at or before, ms')),
      side: described(z.optional(orderSide()), doc?.('Seen from the base token of the market')),
      status: z.optional(
        commaList(/^(processing|processed|cancelling|cancelled|expired|failed|waiting)$/, 'order statuses'),
      ),
      limit: z.optional(queryLimit()),
      offset: z.optional(queryOffset()),
      orderTypes: z.optional(wordList()),
      tradeChannels: z.optional(wordList()),
      extraOrderTypes: described(
        z.optional(wordList()),
        doc?.('Comma-separated words; TRADITIONAL_ORDER is every order that is no stop order'),
      ),
    }),
  answer: () =>
    z.looseObject({ totalNum: totalNum(), orders: described(z.array(orderDetail()), doc?.('One page of orders')) }),
});
