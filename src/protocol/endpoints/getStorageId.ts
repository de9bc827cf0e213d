import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { offchainStorageId, orderStorageId, queryAccountId, queryBoolean, queryTokenId } from '../fields.ts';
import { z } from '../zod.ts';

/**
 * The next storage ids of an account and token. Without `maxNext` the lowest free ids, which may
 * have used ones above them; with it the ids above which nothing was used. Once all 16,384 slots
 * were used, each id takes the slot of an older one: then the former still spare open orders and
 * waiting requests, and the latter may end one.
 */
export const getStorageId = readEndpoint({
  path: '/api/v3/storageId',
  summary: doc?.('The next storage ids of an account and token'),
  errorCodes: doc?.(['TOKEN_UNSUPPORTED', 'STORAGE_ID_EXHAUSTED']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      sellTokenId: described(
        queryTokenId(),
        doc?.('Token whose counter is asked: sold, moved, or the fee token of a mint'),
      ),
      maxNext: described(
        z.optional(queryBoolean()),
        doc?.(
          'True: the greatest next ids, above which none was used. Once every slot was used, one may end an open order',
        ),
      ),
    }),
  answer: () =>
    z.looseObject({
      orderId: described(z.optional(orderStorageId()), doc?.('Next id for orders, even')),
      offchainId: described(z.optional(offchainStorageId()), doc?.('Next id for off-chain requests, odd')),
    }),
});
