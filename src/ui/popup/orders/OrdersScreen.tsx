import { t, tCount } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Freshness } from '../../shared/Freshness.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { StoredState } from '../../shared/StoredState.tsx';
import { useStored } from '../../shared/useStored.ts';
import { Page } from '../PageHead.tsx';
import { hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { OrderEntry } from './OrderEntry.tsx';
import { ReplaceOrder } from './ReplaceOrder.tsx';

/**
 * Milliseconds between two polls: fills come at any moment; the relayer allows five requests a
 * second.
 */
export const lookEveryMs = 4_000;

/** The account's orders as the relayer has them now, whichever site placed them. */
export function OrdersScreen({ wallet, rest }: ScreenProps) {
  const account = selectedAccount(wallet);
  const orders = useStored('getOrders', account.id, lookEveryMs);
  const over = rest[0] === 'over';
  const replaces = rest[0] === 'replace';
  const replaced = replaces && orders.isFresh ? orders.data?.open.find(({ hash }) => hash === rest[1]) : undefined;
  if (replaced?.base && replaced.quote)
    return <ReplaceOrder order={replaced} base={replaced.base} quote={replaced.quote} account={account} />;
  const views = [
    { name: 'open', label: 'ordersOpen', href: hrefTo('orders'), current: !over },
    { name: 'over', label: 'ordersOver', href: hrefTo('orders', 'over'), current: over },
  ] as const;
  return (
    <Page
      title={t('tabOrders')}
      action={
        <>
          <a class="button button-quiet button-small" href={hrefTo('trade')}>
            {t('tradeTitle')}
          </a>
          <Freshness at={orders.at} refreshing={orders.refreshing} onRefresh={orders.refresh} />
        </>
      }
    >
      {replaces && orders.isFresh && orders.data != null && replaced === undefined && (
        <Banner tone="notice" role="status">
          {orders.data.moreOpen ? tCount('ordersMore', orders.data.open.length) : t('problem_orderMoved')}
        </Banner>
      )}
      <nav class="switch" aria-label={t('ordersWhich')}>
        {views.map(({ name, label, href, current }) => (
          <a key={name} class="switch-part" href={href} aria-current={current ? 'page' : undefined}>
            {t(label)}
            {name === 'open' && orders.data != null && orders.data.open.length > 0 && (
              <span class="tag">{orders.data.open.length}</span>
            )}
          </a>
        ))}
      </nav>
      <StoredState query={orders} skeleton={<SkeletonList rows={4} />}>
        {(data) => {
          if (replaces && !orders.isFresh && orders.problem === null) return <SkeletonList rows={4} />;
          const [shown, more] = over ? [data.over, data.moreOver] : [data.open, data.moreOpen];
          if (shown.length === 0) return <p class="empty">{t(over ? 'ordersOverEmpty' : 'ordersOpenEmpty')}</p>;
          return (
            <>
              <ul class="entries">
                {shown.map((order) => (
                  <OrderEntry key={order.hash} order={order} account={account.id} />
                ))}
              </ul>
              {more && <p class="soft small-note">{tCount('ordersMore', shown.length)}</p>}
            </>
          );
        }}
      </StoredState>
    </Page>
  );
}
