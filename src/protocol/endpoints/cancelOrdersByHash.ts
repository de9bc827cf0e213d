import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { signatureCodes } from '../errors.ts';
import { hashList, queryAccountId, splitList } from '../fields.ts';
import { once } from '../once.ts';
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
          error: described(
            z.optional(
              z.looseObject({
                code: described(z.int(), doc?.('Code of the refusal')),
                message: described(z.string(), doc?.('What is wrong')),
              }),
            ),
            doc?.('Why it is not cancelled'),
          ),
        }),
      ),
      doc?.('In the order in which they were named'),
    ),
    z.looseObject({}),
    z.array(z.unknown()),
  ]),
);

/** Checks that one request names no more orders than a page of the list has. */
export const fewOrders = () => z.refine<string>((list) => splitList(list).length <= 50, 'names more than 50 orders');

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
      orderHash: described(hashList().check(fewOrders()), doc?.('Comma-separated hashes, 50 at most')),
    }),
  answer: () => cancelOrdersAnswer(),
});
