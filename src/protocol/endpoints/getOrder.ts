import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { decimalText, hash32, hashAnswer, nftData, queryAccountId } from '../fields.ts';
import { storageInfo } from '../resources.ts';
import { listedOrderStatus, orderSide } from '../statuses.ts';

/** An order as lists report it. */
export const orderDetail = deferred(() =>
  z.looseObject({
    hash: hashAnswer,
    clientOrderId: z.string().describe("The client's own id, empty for none"),
    side: orderSide.describe('Seen from the base token of the market'),
    market: z.string().describe('Trading pair, BASE-QUOTE; NFT-QUOTE for an NFT order'),
    price: z.string().describe('Quote per base, decimal text'),
    volumes: z
      .looseObject({
        baseAmount: decimalText,
        quoteAmount: decimalText,
        baseFilled: decimalText,
        quoteFilled: decimalText,
        fee: decimalText,
      })
      .describe('Base units'),
    validity: z
      .looseObject({ start: z.int().describe('Valid from, s'), end: z.int().describe('Valid until, s') })
      .describe('Seconds since 1970'),
    orderType: z.string().describe('How the order meets the book'),
    tradeChannel: z.string().describe('Where the order may be filled'),
    status: listedOrderStatus,
    nftData: nftData.optional().describe('Only of NFT orders: the NFT that is sold or bought'),
    storageInfo: storageInfo.optional(),
    extraOrderInfo: z
      .looseObject({
        isTriggered: z.boolean().optional().describe('True once the stop price was met'),
        stopPrice: z.string().optional().describe('Price that triggers the order'),
        stopSide: z.string().optional().describe('Side from which the price has to come'),
      })
      .optional()
      .describe('Stop orders only'),
  }),
);
export type OrderDetail = z.output<typeof orderDetail>;

/** One order. */
export const getOrder = endpoint({
  name: 'getOrder',
  method: 'GET',
  path: '/api/v3/order',
  summary: 'One order by its hash',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'ORDER_HASH_MISSING', 'ORDER_NOT_FOUND', ...apiKeyCodes],
  query: () => z.strictObject({ accountId: queryAccountId, orderHash: hash32 }),
  body: () => z.undefined(),
  answer: () => orderDetail,
});
