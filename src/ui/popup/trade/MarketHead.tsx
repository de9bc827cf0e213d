import type { MarketDataView, MarketView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Freshness } from '../../shared/Freshness.tsx';
import { percent, symbolText, unitText } from '../../shared/format.ts';
import { changeBips, marketName, priceText } from './marketText.ts';

interface MarketHeadProps {
  readonly market: MarketView;
  readonly markets: readonly MarketView[];
  readonly onMarket: (market: string) => void;
  readonly data: MarketDataView | undefined;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
}

/** Shows the market, its last price, and its change in a day. */
export function MarketHead({ market, markets, onMarket, data, refreshing, onRefresh }: MarketHeadProps) {
  const { open = null, close = null } = data?.ticker ?? {};
  const change = open === null || close === null ? null : changeBips(open, close);
  return (
    <div class="market-head">
      <select
        aria-label={t('review_market')}
        value={market.market}
        onChange={(event) => onMarket(event.currentTarget.value)}
      >
        {markets.map((one) => (
          <option key={one.market} value={one.market}>
            {marketName(one)}
          </option>
        ))}
      </select>
      <Freshness at={data?.at ?? null} refreshing={refreshing} onRefresh={onRefresh} />
      {close !== null && (
        <p class="market-price">
          <bdi>{priceText(close)}</bdi> <span class="soft">{symbolText(market.quote)}</span>
        </p>
      )}
      {change !== null && (
        <p class={`market-change ${change < 0 ? 'market-down' : 'market-up'}`}>
          <bdi dir="ltr">{`${change < 0 ? '−' : '+'}${percent(Math.abs(change))}`}</bdi>{' '}
          <bdi class="soft">{unitText(24, 'hour')}</bdi>
        </p>
      )}
    </div>
  );
}
