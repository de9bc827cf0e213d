import type { OrdersView, OrderView } from '../../../messaging/views.ts';
import { t, tCount } from '../../i18n.ts';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { StoredState } from '../../shared/StoredState.tsx';
import type { StoredQuery } from '../../shared/useStored.ts';
import { OrderEntry } from '../orders/OrderEntry.tsx';

interface OwnOrdersProps {
  readonly account: string;
  readonly orders: StoredQuery<OrdersView>;
  /** The open ones of the market. */
  readonly own: readonly OrderView[] | undefined;
}

/** The account's open orders of one market, with everything that can be done with them. */
export function OwnOrders({ account, orders, own = [] }: OwnOrdersProps) {
  return (
    <section aria-labelledby="trade-own">
      <div class="section-head">
        <h2 id="trade-own">{t('tradeOwn')}</h2>
      </div>
      <StoredState query={orders} skeleton={<SkeletonList rows={1} />}>
        {({ open, moreOpen }) => {
          if (own.length === 0 && !moreOpen) return <p class="empty">{t('ordersOpenEmpty')}</p>;
          return (
            <>
              <ul class="entries">
                {own.map((order) => (
                  <OrderEntry key={order.hash} order={order} account={account} />
                ))}
              </ul>
              {moreOpen && <p class="soft small-note">{tCount('ordersMore', open.length)}</p>}
            </>
          );
        }}
      </StoredState>
    </section>
  );
}
