import { splitList } from '../../protocol/fields.ts';
import { cancelBatch } from '../engine/orders/cancelBatch.ts';
import type { Route } from '../server/route.ts';

export const cancelOrdersByHash: Route<'cancelOrdersByHash'> = {
  handle: ({ relayer, query, account }) => cancelBatch(relayer, account, { hashes: splitList(query.orderHash) }),
};
