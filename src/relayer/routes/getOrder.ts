import { describeOrder } from '../engine/orders/describeOrder.ts';
import { findOrder } from '../engine/orders/orderRow.ts';
import { Refusal } from '../errors.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getOrder: Route<'getOrder'> = {
  invalid: { 'orderHash.missing': 'ORDER_HASH_MISSING' },
  handle: async (call) => {
    const order = await findOrder(call.relayer.db, call.query.orderHash);
    if (order?.account_id !== keyAccount(call).accountId)
      throw new Refusal('ORDER_NOT_FOUND', 'this account has no order with this hash');
    return describeOrder(call.relayer, order);
  },
};
