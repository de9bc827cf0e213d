import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { decimalText, hash32, hashAnswer, queryAccountId } from '../fields.ts';
import { storageInfo } from '../resources.ts';
import { listedOrderStatus, orderSide } from '../statuses.ts';

/** An order as lists report it. */
export const orderDetail = z.looseObject({
  hash: hashAnswer,
  clientOrderId: z.string(),
  side: orderSide.describe('Seen from the base token of the market'),
  market: z.string(),
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
  validity: z.looseObject({ start: z.int(), end: z.int() }).describe('Seconds since 1970'),
  orderType: z.string(),
  tradeChannel: z.string(),
  status: listedOrderStatus,
  storageInfo: storageInfo.optional(),
  extraOrderInfo: z
    .looseObject({
      isTriggered: z.boolean().optional(),
      stopPrice: z.string().optional(),
      stopSide: z.string().optional(),
    })
    .optional()
    .describe('Stop orders only'),
});
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
  errorCodes: [100000, 100001, 107002, 107003, ...apiKeyCodes],
  query: z.strictObject({ accountId: queryAccountId, orderHash: hash32 }),
  body: z.undefined(),
  answer: orderDetail,
});
