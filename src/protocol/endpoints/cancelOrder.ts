import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { signatureCodes } from '../errors.ts';
import { clientOrderId, looseHash, queryAccountId } from '../fields.ts';
import { z } from '../zod.ts';
import { orderAnswer } from './submitOrder.ts';

export const cancelOrder = endpoint({
  method: 'DELETE',
  path: '/api/v3/order',
  summary: doc?.('Cancels an order by hash or client order id'),
  signature: 'eddsa',
  errorCodes: doc?.([
    'NO_ORDER_TO_CANCEL',
    'CANCEL_FAILED',
    'HASH_INVALID',
    'ORDER_CANCELLING',
    'ORDER_NOT_FOUND',
    ...signatureCodes,
  ]),
  query: () =>
    z
      .strictObject({
        accountId: queryAccountId(),
        orderHash: described(z.optional(looseHash()), doc?.('Hash that the relayer returned for the order')),
        clientOrderId: z.optional(clientOrderId()),
      })
      .check(
        z.refine(
          (query) => query.orderHash !== undefined || query.clientOrderId !== undefined,
          'orderHash or clientOrderId is needed',
        ),
      ),
  answer: () => orderAnswer(),
});
