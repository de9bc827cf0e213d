import { described } from './described.ts';
import { doc } from './doc.ts';
import {
  accountId,
  address,
  allOrNone,
  clientOrderId,
  decimalText,
  eddsaSignature,
  fillAmountBOrS,
  maxFeeBips,
  orderStorageId,
  seconds,
} from './fields.ts';
import { orderType, tradeChannel } from './statuses.ts';
import { z } from './zod.ts';

/**
 * Fields that submitOrder and validateOrder share; each adds its kind of `sellToken` and
 * `buyToken`.
 */
export const orderBodyShape = () => ({
  exchange: described(address(), doc?.('Exchange that processes the order')),
  accountId: accountId(),
  storageId: orderStorageId(),
  allOrNone: allOrNone(),
  fillAmountBOrS: fillAmountBOrS(),
  validUntil: described(seconds(), doc?.('Expiry in seconds since 1970')),
  maxFeeBips: maxFeeBips(),
  eddsaSignature: eddsaSignature(),
  clientOrderId: z.optional(clientOrderId()),
  orderType: described(z.optional(orderType()), doc?.('LIMIT_ORDER when absent')),
  tradeChannel: described(z.optional(tradeChannel()), doc?.('MIXED when absent')),
  taker: described(
    z.optional(z.union([address(), z.literal('')])),
    doc?.('Only this owner may take the order; absent, empty or the zero address: anyone'),
  ),
  affiliate: described(z.optional(decimalText()), doc?.('Account id that receives a share of the fee, decimal text')),
  channelId: described(z.optional(z.string().check(z.maxLength(120))), doc?.('Source tag of the client, not signed')),
});
