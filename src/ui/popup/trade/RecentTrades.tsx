import type { MarketTrade, MarketView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { symbolText } from '../../shared/format.ts';
import { Ago } from '../../shared/Time.tsx';
import { listedSize, priceTexts } from './marketText.ts';

interface RecentTradesProps {
  readonly market: MarketView;
  readonly trades: readonly MarketTrade[];
}

/** Shows the newest trades; the exchange does not say whose they are. */
export function RecentTrades({ market, trades }: RecentTradesProps) {
  const texts = priceTexts(
    trades.map(({ price }) => price),
    'SELL',
  );
  return (
    <section aria-labelledby="trade-trades">
      <div class="section-head">
        <h2 id="trade-trades">{t('tradeTrades')}</h2>
      </div>
      <ul class="trades">
        {trades.map(({ at, side, size }, index) => (
          <li key={`${at} ${index}`} class={side === 'BUY' ? 'trade-up' : 'trade-down'}>
            <span class="trade-side">
              {t(side === 'BUY' ? 'orderBuy' : 'orderSell', {
                amount: `${listedSize(size, market)} ${symbolText(market.base)}`,
              })}
            </span>
            <bdi>{texts[index]}</bdi>
            <span class="soft">
              <Ago milliseconds={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
