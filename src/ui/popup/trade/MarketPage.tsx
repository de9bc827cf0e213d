import { useEffect, useState } from 'preact/hooks';
import type { ChartInterval } from '../../../messaging/chartIntervals.ts';
import type { AccountView, BalanceView, MarketView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Problem, problemText } from '../../shared/Problem.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { useStored } from '../../shared/useStored.ts';
import { lookEveryMs } from '../orders/OrdersScreen.tsx';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { CandleChart } from './CandleChart.tsx';
import { MarketHead } from './MarketHead.tsx';
import { OrderBook } from './OrderBook.tsx';
import { OwnOrders } from './OwnOrders.tsx';
import type { Side } from './orderTerms.ts';
import { RecentTrades } from './RecentTrades.tsx';
import { TradeForm } from './TradeForm.tsx';
import { useMarketData } from './useMarketData.ts';

interface OneMarketProps {
  readonly account: AccountView;
  readonly market: MarketView;
  readonly markets: readonly MarketView[];
  /** `null` when they cannot be read. */
  readonly balances: readonly BalanceView[] | null;
  readonly onMarket: (market: string) => void;
}

function OneMarket({ account, market, markets, balances, onMarket }: OneMarketProps) {
  const [interval, setCandles] = useState<ChartInterval>('1hr');
  const [side, setSide] = useState<Side>('BUY');
  const [price, setPrice] = useState('');
  const { data, isRead, error, refreshing, refresh } = useMarketData(account.id, market.market, interval);
  const orders = useStored('getOrders', account.id, lookEveryMs);
  const own = orders.data?.open.filter((order) => order.market.replace(/^AMM-/, '') === market.market);
  const isSilent = data !== undefined && !data.book && !data.candles && !data.trades;
  return (
    <>
      <MarketHead {...{ market, markets, onMarket, data, refreshing }} onRefresh={refresh} />
      {error !== null && (
        <Banner tone="notice" role="status">
          {problemText(error)}
        </Banner>
      )}
      {data === undefined && error === null ? (
        // The form would be pushed away under the hand by the chart and the book.
        <Skeleton lines={[10, 10, 10, 10]} />
      ) : (
        <>
          {isSilent && <p class="empty">{t('tradeNoData')}</p>}
          {data !== undefined && !isSilent && (
            <CandleChart
              {...{ market, interval, data }}
              candles={isRead ? data.candles : null}
              onInterval={setCandles}
            />
          )}
          {data?.book && <OrderBook market={market} book={data.book} onPrice={setPrice} />}
          <TradeForm
            {...{ account, market, balances, side, price, data }}
            own={orders.isFresh && !orders.data?.moreOpen ? own : undefined}
            onSide={setSide}
            onPrice={setPrice}
          />
          <OwnOrders account={account.id} {...{ orders, own }} />
          {data?.trades?.length ? <RecentTrades market={market} trades={data.trades} /> : null}
          {data !== undefined && !isSilent && <p class="soft small-note">{t('tradeSource')}</p>}
        </>
      )}
    </>
  );
}

/**
 * The market that is named; else the first one of which the account holds both tokens, else one
 * token, else any.
 */
export function marketFor(
  markets: readonly MarketView[],
  name: string | undefined,
  balances: readonly BalanceView[],
): MarketView | undefined {
  const held = new Set(balances.filter(({ total }) => total !== '0').map(({ token }) => token.tokenId));
  const heldOf = ({ base, quote }: MarketView) => Number(held.has(base.tokenId)) + Number(held.has(quote.tokenId));
  return markets.find((one) => one.market === name) ?? markets.toSorted((a, b) => heldOf(b) - heldOf(a))[0];
}

/**
 * One market: what the exchange says about it, an order form, and the account's open orders there.
 * `trade/LRC-ETH` opens one.
 */
export function MarketPage({ wallet, rest }: ScreenProps) {
  const account = selectedAccount(wallet);
  const markets = useQuery('getMarkets', { account: account.id });
  const balances = useQuery('getBalances', { account: account.id });
  const [name, setName] = useState(rest[0]);
  const isRead = markets.data !== undefined && (balances.data !== undefined || balances.error !== null);
  const market = marketFor(markets.data ?? [], name, balances.data ?? []);
  // Once it is chosen, balances that change change it no more.
  useEffect(() => {
    if (isRead && market !== undefined) setName(market.market);
  }, [isRead, market]);
  return (
    <Page class="trade" title={t('tradeTitle')} back={['home']}>
      {isRead && market !== undefined ? (
        <OneMarket
          key={market.market}
          {...{ account, market }}
          markets={markets.data ?? []}
          balances={balances.data ?? null}
          onMarket={setName}
        />
      ) : (
        <>
          <Problem error={markets.error} />
          {isRead ? (
            <p class="empty">{t('tradeNoMarkets')}</p>
          ) : (
            markets.error === null && <Skeleton lines={[6, 10, 10, 10]} />
          )}
        </>
      )}
    </Page>
  );
}
