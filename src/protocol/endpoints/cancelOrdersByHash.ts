import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, signatureCodes } from '../errors.ts';
import { hashList, queryAccountId } from '../fields.ts';

/** A row for each order that was named; other relayers answer in forms of their own, after which the orders tell. */
export const cancelOrdersAnswer = deferred(() =>
  z.union([
    z
      .array(
        z.looseObject({
          id: z.string().optional().describe('Hash or client order id, as it was sent'),
          result: z.boolean().optional().describe('Whether the order is cancelled'),
          error: z
            .looseObject({
              code: z.int().describe('Code of the refusal'),
              message: z.string().describe('What is wrong'),
            })
            .optional()
            .describe('Why it is not cancelled'),
        }),
      )
      .describe('In the order in which they were named'),
    z.looseObject({}),
    z.array(z.unknown()),
  ]),
);

/** Cancels several orders. Each has an outcome of its own in the answer. */
export const cancelOrdersByHash = endpoint({
  name: 'cancelOrdersByHash',
  method: 'DELETE',
  path: '/api/v3/orders/byHash',
  summary: 'Cancels several orders by hash',
  apiKey: 'required',
  signature: 'eddsa',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [
    'UNKNOWN_ERROR',
    'INVALID_ARGUMENT',
    'NO_ORDER_TO_CANCEL',
    'CANCEL_FAILED',
    'HASH_INVALID',
    ...apiKeyCodes,
    ...signatureCodes,
  ],
  query: () => z.strictObject({ accountId: queryAccountId, orderHash: hashList }),
  body: () => z.undefined(),
  answer: () => cancelOrdersAnswer,
});
