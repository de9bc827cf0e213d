import { cancelOrders } from '../engine/orders/cancelOrders.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const cancelOrder: Route<'cancelOrder'> = {
  handle: async ({ relayer, query: { orderHash, clientOrderId }, account }) => {
    const [outcome] = await cancelOrders(
      relayer,
      account,
      orderHash !== undefined ? { hashes: [orderHash], clientOrderId } : { clientOrderIds: [clientOrderId ?? ''] },
    );
    if (!outcome?.order) throw new Refusal('NO_ORDER_TO_CANCEL', 'this account has no such order');
    const { order, wasOpen } = outcome;
    if (!wasOpen && order.status !== 'cancelled')
      throw new Refusal('NO_ORDER_TO_CANCEL', `the order is ${order.status} already`);
    return { hash: order.hash, clientOrderId: order.client_order_id, status: 'cancelled', isIdempotent: !wasOpen };
  },
};
