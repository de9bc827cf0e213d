import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { accountId, hashAnswer } from '../fields.ts';
import { orderStatus } from '../statuses.ts';
import { submitOrder } from './submitOrder.ts';

/** Orders in one request. */
export const MAX_BATCH_ORDERS = 10;

/** Submits several orders of one account; each is taken or refused by itself, as if it had come alone. */
export const submitOrders = endpoint({
  name: 'submitOrders',
  method: 'POST',
  path: '/api/v3/batchOrders',
  summary: 'Submits several orders, each with an outcome of its own',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      accountId,
      orders: z
        .array(submitOrder.body)
        .min(1, 'is empty')
        .max(MAX_BATCH_ORDERS, `has more than ${MAX_BATCH_ORDERS} orders`)
        .describe('As submitOrder takes them, all of this account'),
    }),
  answer: () =>
    z.looseObject({
      orders: z
        .array(
          z.looseObject({
            hash: hashAnswer.optional().describe('Order hash; absent when the order was refused'),
            clientOrderId: z.string().describe("The client's own id, empty for none"),
            status: orderStatus.optional(),
            isIdempotent: z
              .boolean()
              .optional()
              .describe('True when the same order was already held and not yet decided'),
            error: z
              .looseObject({
                code: z.int().describe('Code of the refusal'),
                message: z.string().describe('What is wrong'),
              })
              .optional()
              .describe('Why the order was not taken: a code of submitOrder'),
          }),
        )
        .describe('In the order in which they were sent'),
    }),
});
