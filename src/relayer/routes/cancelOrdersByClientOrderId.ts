import { splitList } from '../../protocol/fields.ts';
import { cancelBatch } from '../engine/orders/cancelBatch.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const cancelOrdersByClientOrderId: Route<'cancelOrdersByClientOrderId'> = {
  handle: (call) =>
    cancelBatch(call.relayer, keyAccount(call), { clientOrderIds: splitList(call.query.clientOrderId) }),
};
