import { splitList } from '../../protocol/fields.ts';
import { cancelBatch } from '../engine/orders/cancelBatch.ts';
import type { Route } from '../server/route.ts';

export const cancelOrdersByClientOrderId: Route<'cancelOrdersByClientOrderId'> = {
  handle: ({ relayer, query, account }) =>
    cancelBatch(relayer, account, { clientOrderIds: splitList(query.clientOrderId) }),
};
