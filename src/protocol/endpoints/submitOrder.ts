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
    'UNKNOWN_ERROR',
    'INVALID_ARGUMENT',
    'EXCHANGE_ID_INCORRECT',
    'TOKEN_UNSUPPORTED',
    'ACCOUNT_ID_INVALID',
    'ORDER_ID_INVALID',
    'MARKET_UNSUPPORTED',
    'RATE_ILLEGAL',
    'ORDER_EXISTS',
    'ORDER_EXPIRED',
    'ORDER_SIGNATURE_MISSING',
    'BALANCE_INSUFFICIENT',
    'ORDER_TOO_SMALL',
    'FREEZE_FAILED',
    'ORDER_TOO_LARGE',
    'NONCE_INVALID',
    'ORDER_SUBMIT_FAILED',
    'ORDER_INVALID',
    'STORAGE_ID_EXHAUSTED',
    'STORAGE_ID_INVALID',
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
