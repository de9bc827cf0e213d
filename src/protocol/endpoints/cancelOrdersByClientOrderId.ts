import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { signatureCodes } from '../errors.ts';
import { commaList, fewItems, MAX_LIMIT, queryAccountId } from '../fields.ts';
import { z } from '../zod.ts';
import { cancelOrdersAnswer } from './cancelOrdersByHash.ts';

/**
 * Cancels several orders by the client's own ids. Ids outside A–Z a–z 0–9 . _ - are signed
 * differently by different clients and are refused.
 */
export const cancelOrdersByClientOrderId = endpoint({
  method: 'DELETE',
  path: '/api/v3/orders/byClientOrderId',
  summary: doc?.('Cancels several orders by client order id'),
  signature: 'eddsa',
  errorCodes: doc?.(['NO_ORDER_TO_CANCEL', 'CANCEL_FAILED', ...signatureCodes]),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      clientOrderId: described(
        commaList(/^[A-Za-z0-9._-]{1,120}$/, 'client order ids of letters, digits, dot, underscore, hyphen').check(
          fewItems('orders'),
        ),
        doc?.(`Comma-separated client order ids of letters, digits, dot, underscore, hyphen, ${MAX_LIMIT} at most`),
      ),
    }),
  answer: () => cancelOrdersAnswer(),
});
