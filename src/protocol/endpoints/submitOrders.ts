import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { accountId, looseHash } from '../fields.ts';
import { refusal } from '../refusal.ts';
import { orderStatus } from '../statuses.ts';
import { z } from '../zod.ts';
import { submitOrder } from './submitOrder.ts';

/** Orders in one request. */
const MAX_BATCH_ORDERS = 10;

/**
 * Submits several orders of one account; each is taken or refused by itself, as if it had come
 * alone.
 */
export const submitOrders = endpoint({
  method: 'POST',
  path: '/api/v3/batchOrders',
  summary: doc?.('Submits several orders, each with an outcome of its own'),
  errorCodes: doc?.([
    'EXCHANGE_ID_INCORRECT',
    'ACCOUNT_ID_INVALID',
    'ORDER_ID_INVALID',
    'TOKEN_UNSUPPORTED',
    'RATE_ILLEGAL',
    'ORDER_EXPIRED',
    'ORDER_SIGNATURE_MISSING',
    'SIGNATURE_MISSING',
    'SIGNATURE_WRONG',
    'ORDER_INVALID',
  ]),
  body: () =>
    z.strictObject({
      accountId: accountId(),
      orders: described(
        z
          .array(submitOrder.body)
          .check(z.minLength(1, 'is empty'), z.maxLength(MAX_BATCH_ORDERS, `has more than ${MAX_BATCH_ORDERS} orders`)),
        doc?.('As submitOrder takes them, all of this account'),
      ),
    }),
  answer: () =>
    z.looseObject({
      orders: described(
        z.array(
          z.looseObject({
            hash: described(z.optional(looseHash()), doc?.('Order hash; absent when the order was refused')),
            clientOrderId: described(z.string(), doc?.("The client's own id, empty for none")),
            status: z.optional(orderStatus()),
            isIdempotent: described(
              z.optional(z.boolean()),
              doc?.('True when the same order had come before; `status` says what became of it'),
            ),
            error: described(z.optional(refusal()), doc?.('Why the order was not taken: a code of submitOrder')),
          }),
        ),
        doc?.('In the order in which they were sent'),
      ),
    }),
});
