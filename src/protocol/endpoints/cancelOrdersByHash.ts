import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, signatureCodes } from '../errors.ts';
import { hashList, queryAccountId } from '../fields.ts';

/** Clients read nothing of it but a refusal, so its form is open; read the orders again. */
export const cancelOrdersAnswer = deferred(() => z.union([z.looseObject({}), z.array(z.unknown())]));

/** Cancels several orders. 104209 means that some were not cancelled: read the orders again. */
export const cancelOrdersByHash = endpoint({
  name: 'cancelOrdersByHash',
  method: 'DELETE',
  path: '/api/v3/orders/byHash',
  summary: 'Cancels several orders by hash',
  apiKey: 'required',
  signature: 'eddsa',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [100000, 100001, 102117, 102118, 102119, 104209, ...apiKeyCodes, ...signatureCodes],
  query: () => z.strictObject({ accountId: queryAccountId, orderHash: hashList }),
  body: () => z.undefined(),
  answer: () => cancelOrdersAnswer,
});
