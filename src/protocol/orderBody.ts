import { z } from 'zod';
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

/** What submitOrder and validateOrder have in common; each adds its kind of `sellToken` and `buyToken`. */
export const orderBodyShape = () => ({
  exchange: address.describe('Exchange that processes the order'),
  accountId,
  storageId: orderStorageId,
  allOrNone,
  fillAmountBOrS,
  validUntil: seconds.describe('Expiry in seconds since 1970'),
  maxFeeBips,
  eddsaSignature,
  clientOrderId: clientOrderId.optional(),
  orderType: orderType.optional().describe('LIMIT_ORDER when absent'),
  tradeChannel: tradeChannel.optional().describe('MIXED when absent'),
  taker: z
    .union([address, z.literal('')])
    .optional()
    .describe('Only this owner may take the order; absent, empty or the zero address: anyone'),
  affiliate: decimalText.optional().describe('Account id that receives a share of the fee, decimal text'),
  channelId: z.string().max(120).optional().describe('Source tag of the client, not signed'),
});
