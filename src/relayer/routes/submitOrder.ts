import { acceptOrder } from '../engine/orders/acceptOrder.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const submitOrder: Route<'submitOrder'> = {
  invalid: {
    exchange: 102001,
    accountId: 102003,
    storageId: 102004,
    'sellToken.tokenId': 102002,
    'buyToken.tokenId': 102002,
    maxFeeBips: 102006,
    validUntil: 102008,
    'eddsaSignature.missing': 102010,
    eddsaSignature: 104004,
    allOrNone: 102120,
  },
  handle: async (call) => {
    const { order, isIdempotent } = await acceptOrder(call.relayer, keyAccount(call), call.body);
    return { hash: order.hash, clientOrderId: order.client_order_id, status: order.status, isIdempotent };
  },
};
