import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, signatureCodes } from '../errors.ts';
import { hashList, queryAccountId } from '../fields.ts';

/** Clients read nothing of it but a refusal, so its form is open; read the orders again. */
export const cancelOrdersAnswer = deferred(() => z.union([z.looseObject({}), z.array(z.unknown())]));

/** Cancels several orders. BATCH_PARTLY_FAILED means that some were not cancelled: read the orders again. */
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
    'BATCH_PARTLY_FAILED',
    ...apiKeyCodes,
    ...signatureCodes,
  ],
  query: () => z.strictObject({ accountId: queryAccountId, orderHash: hashList }),
  body: () => z.undefined(),
  answer: () => cancelOrdersAnswer,
});
