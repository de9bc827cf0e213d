import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, signatureCodes } from '../errors.ts';
import { address, hashAnswer } from '../fields.ts';
import { orderBodyShape } from '../orderBody.ts';
import { tokenVolumeV3 } from '../resources.ts';
import { orderStatus } from '../statuses.ts';

/** Acknowledgement of an order and of its cancel. */
export const orderAnswer = deferred(() =>
  z.looseObject({
    hash: hashAnswer.describe('Order hash; equals the signed hash for spot orders'),
    clientOrderId: z.string().describe("The client's own id, empty for none"),
    status: orderStatus,
    isIdempotent: z.boolean().describe('True when the same order was already held and not yet decided'),
  }),
);

/** Submits a spot order: limit, taker-only, maker-only, or against a pool. */
export const submitOrder = endpoint({
  name: 'submitOrder',
  method: 'POST',
  path: '/api/v3/order',
  summary: 'Submits an order',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [
    100000,
    100001,
    102001,
    102002,
    102003,
    102004,
    102005,
    102006,
    102007,
    102008,
    102010,
    102011,
    102012,
    102014,
    102020,
    102021,
    102027,
    102120,
    102028,
    102030,
    ...apiKeyCodes,
    ...signatureCodes,
  ],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      ...orderBodyShape(),
      sellToken: tokenVolumeV3.describe('Token and volume sold'),
      buyToken: tokenVolumeV3.describe('Token and volume bought'),
      poolAddress: address.optional().describe('Pool of an AMM order'),
    }),
  answer: () => orderAnswer,
});
