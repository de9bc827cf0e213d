import { describeOrder } from '../engine/orders/describeOrder.ts';
import { findOrder } from '../engine/orders/orderRow.ts';
import { Refusal } from '../errors.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getOrder: Route<'getOrder'> = {
  invalid: { 'orderHash.missing': 107002 },
  handle: async (call) => {
    const order = await findOrder(call.relayer.db, call.query.orderHash);
    if (order?.account_id !== keyAccount(call).accountId)
      throw new Refusal(107003, 'this account has no order with this hash');
    return describeOrder(call.relayer, order);
  },
};
