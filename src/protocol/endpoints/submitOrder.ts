import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { orderFieldCodes, signatureCodes } from '../errors.ts';
import { address, looseHash } from '../fields.ts';
import { once } from '../once.ts';
import { orderBodyShape } from '../orderBody.ts';
import { tokenVolumeV3 } from '../resources.ts';
import { orderStatus } from '../statuses.ts';
import { z } from '../zod.ts';

/** Acknowledgement of an order and of its cancel. */
export const orderAnswer = once(() =>
  z.looseObject({
    hash: described(looseHash(), doc?.('Order hash; equals the signed hash for spot orders')),
    clientOrderId: described(z.string(), doc?.("The client's own id, empty for none")),
    status: orderStatus(),
    isIdempotent: described(
      z.boolean(),
      doc?.('True when the same order had come before; `status` says what became of it'),
    ),
  }),
);

/** Submits a spot order: limit, taker-only, maker-only, or against a pool. */
export const submitOrder = endpoint({
  method: 'POST',
  path: '/api/v3/order',
  summary: doc?.('Submits an order'),
  errorCodes: doc?.([
    'EXCHANGE_ID_INCORRECT',
    ...orderFieldCodes,
    'MARKET_UNSUPPORTED',
    'NONCE_INVALID',
    'ORDER_SUBMIT_FAILED',
    'STORAGE_ID_EXHAUSTED',
    ...signatureCodes,
  ]),
  body: () =>
    z.strictObject({
      ...orderBodyShape(),
      sellToken: described(tokenVolumeV3(), doc?.('Token and volume sold')),
      buyToken: described(tokenVolumeV3(), doc?.('Token and volume bought')),
      poolAddress: described(z.optional(address()), doc?.('Pool of an AMM order')),
    }),
  answer: () => orderAnswer(),
});
