import { describeOrder } from '../engine/orders/describeOrder.ts';
import type { OrderRow } from '../engine/orders/orderRow.ts';
import { listed, page } from '../engine/page.ts';
import type { Route } from '../server/route.ts';

export const getOrders: Route<'getOrders'> = {
  handle: async ({ relayer, query, account: { accountId } }) => {
    // No row has the other two: what is accepted is open, and a cancel is done when it is answered.
    const statuses = listed(query.status)?.filter((status) => status !== 'waiting' && status !== 'cancelling');
    // The planner uses the index of open orders only when the statement itself has its condition;
    // in the order of `seq` it would rather read all orders that the account ever had.
    const isOpen = statuses?.every((status) => status === 'processing') === true;
    const { totalNum, rows } = await relayer.historiesOf(accountId, (histories) =>
      page<OrderRow>(
        histories,
        [['orders', 'account_id']],
        accountId,
        [
          ['upper(market) = ?', query.market?.toUpperCase()],
          ['created_at >= ?', query.start],
          ['created_at <= ?', query.end || undefined],
          ['side = ?', query.side],
          [`${isOpen ? "status = 'processing' AND " : ''}status = ANY(?::text[])`, statuses],
          ['order_type = ANY(?::text[])', listed(query.orderTypes)],
          ['channel = ANY(?::text[])', listed(query.tradeChannels)],
          // Clients ask for ordinary orders, and for stop orders, which are not kept here.
          [`'TRADITIONAL_ORDER' = ANY(?::text[])`, listed(query.extraOrderTypes)],
        ],
        [isOpen ? 'seq + 0' : 'seq', 'DESC'],
        query,
      ),
    );
    return { totalNum, orders: rows.map((row) => describeOrder(relayer, row)) };
  },
};
