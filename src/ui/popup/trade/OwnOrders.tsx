import { t, tCount } from '../../i18n.ts';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { StoredState } from '../../shared/StoredState.tsx';
import { useStored } from '../../shared/useStored.ts';
import { OrderEntry } from '../orders/OrderEntry.tsx';

/** Milliseconds between two polls, as on the screen of all orders. */
const pollEveryMs = 4_000;

/** The account's open orders of one market, with everything that can be done with them. */
export function OwnOrders({ account, market }: { readonly account: string; readonly market: string }) {
  const orders = useStored('getOrders', account, pollEveryMs);
  return (
    <section aria-labelledby="trade-own">
      <div class="section-head">
        <h2 id="trade-own">{t('tradeOwn')}</h2>
      </div>
      <StoredState query={orders} skeleton={<SkeletonList rows={1} />}>
        {({ open, moreOpen }) => {
          const own = open.filter((order) => order.market.replace(/^AMM-/, '') === market);
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
