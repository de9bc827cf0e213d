import { describeOrder } from '../engine/orders/describeOrder.ts';
import type { OrderRow } from '../engine/orders/orderRow.ts';
import { listed, page } from '../engine/page.ts';
import type { Route } from '../server/route.ts';

export const getOrders: Route<'getOrders'> = {
  handle: async ({ relayer, query, account: { accountId } }) => {
    const { totalNum, rows } = await relayer.historiesOf(accountId, (histories) =>
      page<OrderRow>(
        histories,
        'orders',
        [
          ['account_id = ?', accountId],
          ['upper(market) = ?', query.market?.toUpperCase()],
          ['created_at >= ?', query.start],
          ['created_at <= ?', query.end || undefined],
          ['side = ?', query.side],
          ['status = ANY(?::text[])', listed(query.status)],
          ['order_type = ANY(?::text[])', listed(query.orderTypes)],
          ['channel = ANY(?::text[])', listed(query.tradeChannels)],
          // Clients ask for ordinary orders, and for stop orders, which are not kept here.
          [`'TRADITIONAL_ORDER' = ANY(?::text[])`, listed(query.extraOrderTypes)],
        ],
        'seq DESC',
        query,
      ),
    );
    return { totalNum, orders: rows.map((row) => describeOrder(relayer, row)) };
  },
};
