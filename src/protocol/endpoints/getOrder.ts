import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { decimalText, looseHash, nftData, queryAccountId } from '../fields.ts';
import { once } from '../once.ts';
import { storageInfo } from '../resources.ts';
import { listedOrderSide, listedOrderStatus } from '../statuses.ts';
import { z } from '../zod.ts';

/** An order as lists report it. */
export const orderDetail = once(() =>
  z.looseObject({
    hash: looseHash(),
    clientOrderId: described(z.string(), doc?.("The client's own id, empty for none")),
    side: described(listedOrderSide(), doc?.('Seen from the base token of the market')),
    market: described(z.string(), doc?.('Trading pair, BASE-QUOTE; NFT-QUOTE for an NFT order')),
    price: described(z.string(), doc?.('Quote per base, decimal text')),
    volumes: described(
      z.looseObject({
        baseAmount: decimalText(),
        quoteAmount: decimalText(),
        baseFilled: decimalText(),
        quoteFilled: decimalText(),
        fee: decimalText(),
      }),
      doc?.('Base units'),
    ),
    validity: described(
      z.looseObject({
        start: described(z.int(), doc?.('Valid from, s')),
        end: described(z.int(), doc?.('Valid until, s')),
      }),
      doc?.('Seconds since 1970'),
    ),
    orderType: described(z.string(), doc?.('How the order meets the book')),
    tradeChannel: described(z.string(), doc?.('Where the order may be filled')),
    status: listedOrderStatus(),
    nftData: described(z.optional(nftData()), doc?.('Only of NFT orders: the NFT that is sold or bought')),
    storageInfo: z.optional(storageInfo()),
    extraOrderInfo: described(
      z.optional(
        z.looseObject({
          isTriggered: described(z.optional(z.boolean()), doc?.('True once the stop price was met')),
          stopPrice: described(z.optional(z.string()), doc?.('Price that triggers the order')),
          stopSide: described(z.optional(z.string()), doc?.('Side from which the price has to come')),
        }),
      ),
      doc?.('Stop orders only'),
    ),
  }),
);

export const getOrder = readEndpoint({
  path: '/api/v3/order',
  summary: doc?.('One order by its hash'),
  errorCodes: doc?.(['ORDER_HASH_MISSING', 'ORDER_NOT_FOUND']),
  query: () => z.strictObject({ accountId: queryAccountId(), orderHash: looseHash() }),
  answer: () => orderDetail(),
});
