import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { commaList, queryAccountId, queryLimit, queryMilliseconds, queryOffset, wordList } from '../fields.ts';
import { totalNum } from '../resources.ts';
import { orderSide } from '../statuses.ts';
import { orderDetail } from './getOrder.ts';

/** Orders of an account, newest first. */
export const getOrders = endpoint({
  name: 'getOrders',
  method: 'GET',
  path: '/api/v3/orders',
  summary: 'Orders of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      market: z.string().max(64).optional().describe('Trading pair, BASE-QUOTE'),
      start: queryMilliseconds.optional().describe('Created at or after, ms'),
      end: queryMilliseconds.optional().describe('Created at or before, ms'),
      side: orderSide.optional().describe('Seen from the base token of the market'),
      status: commaList(
        /^(processing|processed|cancelling|cancelled|expired|failed|waiting)$/,
        'order statuses',
      ).optional(),
      limit: queryLimit.optional(),
      offset: queryOffset.optional(),
      orderTypes: wordList.optional(),
      tradeChannels: wordList.optional(),
      extraOrderTypes: wordList.optional(),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, orders: z.array(orderDetail).describe('One page of orders') }),
});
