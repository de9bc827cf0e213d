import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { signatureCodes } from '../errors.ts';
import { fewItems, hashList, MAX_LIMIT, queryAccountId } from '../fields.ts';
import { once } from '../once.ts';
import { refusal } from '../refusal.ts';
import { z } from '../zod.ts';

/**
 * One row for each different order that was named; other relayers answer in forms of their own,
 * after which the orders tell.
 */
export const cancelOrdersAnswer = once(() =>
  z.union([
    described(
      z.array(
        z.looseObject({
          id: described(z.optional(z.string()), doc?.('Hash or client order id, as it was sent')),
          result: described(z.optional(z.boolean()), doc?.('Whether the order is cancelled')),
          error: described(z.optional(refusal()), doc?.('Why it is not cancelled')),
        }),
      ),
      doc?.('In the order in which they were named; of an order that there is also hash, clientOrderId and status'),
    ),
    z.looseObject({}),
    z.array(z.unknown()),
  ]),
);

/** Cancels several orders. Each has an outcome of its own in the answer. */
export const cancelOrdersByHash = endpoint({
  method: 'DELETE',
  path: '/api/v3/orders/byHash',
  summary: doc?.('Cancels several orders by hash'),
  signature: 'eddsa',
  errorCodes: doc?.(['NO_ORDER_TO_CANCEL', 'CANCEL_FAILED', 'HASH_INVALID', ...signatureCodes]),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      orderHash: described(hashList().check(fewItems('orders')), doc?.(`Comma-separated hashes, ${MAX_LIMIT} at most`)),
    }),
  answer: () => cancelOrdersAnswer(),
});
