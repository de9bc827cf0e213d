import { acceptOrder } from '../engine/orders/acceptOrder.ts';
import type { Route } from '../server/route.ts';

export const submitOrder: Route<'submitOrder'> = {
  invalid: {
    exchange: 'EXCHANGE_ID_INCORRECT',
    accountId: 'ACCOUNT_ID_INVALID',
    storageId: 'ORDER_ID_INVALID',
    'sellToken.tokenId': 'TOKEN_UNSUPPORTED',
    'buyToken.tokenId': 'TOKEN_UNSUPPORTED',
    maxFeeBips: 'RATE_ILLEGAL',
    validUntil: 'ORDER_EXPIRED',
    'eddsaSignature.missing': 'ORDER_SIGNATURE_MISSING',
    'eddsaSignature.empty': 'SIGNATURE_MISSING',
    eddsaSignature: 'SIGNATURE_WRONG',
    allOrNone: 'ORDER_INVALID',
  },
  handle: async ({ relayer, body, account }) => {
    const { order, isIdempotent } = await acceptOrder(relayer, account, body);
    return { hash: order.hash, clientOrderId: order.client_order_id, status: order.status, isIdempotent };
  },
};
