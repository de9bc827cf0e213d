import { canonicalHash } from '../engine/nft/nftRows.ts';
import { findArchivedOrder } from '../engine/orders/archivedOrder.ts';
import { describeOrder } from '../engine/orders/describeOrder.ts';
import { findOrder } from '../engine/orders/orderRow.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getOrder: Route<'getOrder'> = {
  invalid: { 'orderHash.missing': 'ORDER_HASH_MISSING' },
  handle: async ({ relayer, query: { orderHash }, account }) => {
    const { db } = relayer;
    const hash = canonicalHash(orderHash);
    // In this order: one that moves in between is found.
    const order = (await findOrder(db, hash)) ?? (await findArchivedOrder(db, hash));
    if (order?.account_id !== account.accountId)
      throw new Refusal('ORDER_NOT_FOUND', 'this account has no order with this hash');
    return describeOrder(relayer, order);
  },
};
