import { splitList } from '../../protocol/fields.ts';
import { cancelBatch } from '../engine/orders/cancelBatch.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const cancelOrdersByHash: Route<'cancelOrdersByHash'> = {
  handle: (call) => cancelBatch(call.relayer, keyAccount(call), { hashes: splitList(call.query.orderHash) }),
};
