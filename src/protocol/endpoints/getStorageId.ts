import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { offchainStorageId, orderStorageId, queryAccountId, queryBoolean, queryTokenId } from '../fields.ts';

/**
 * The next storage ids of an account and token. Without `maxNext` the lowest free ids, which may have used ones above
 * them; with it the ids above which everything is free.
 */
export const getStorageId = endpoint({
  name: 'getStorageId',
  method: 'GET',
  path: '/api/v3/storageId',
  summary: 'The next storage ids of an account and token',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'TOKEN_UNSUPPORTED', 'STORAGE_ID_EXHAUSTED', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId,
      sellTokenId: queryTokenId.describe('Token whose counter is asked: sold, moved, or the fee token of a mint'),
      maxNext: queryBoolean.optional().describe('True: the greatest next ids, with everything above them free'),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      orderId: orderStorageId.optional().describe('Next id for orders, even'),
      offchainId: offchainStorageId.optional().describe('Next id for off-chain requests, odd'),
    }),
});
