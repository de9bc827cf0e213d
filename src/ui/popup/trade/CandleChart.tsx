import { type ChartInterval, chartIntervals } from '../../../messaging/chartIntervals.ts';
import type { CandleView, MarketDataView, MarketView } from '../../../messaging/views.ts';
import { candleIntervals } from '../../../protocol/candleIntervals.ts';
import { DAY_MS, HOUR_MS } from '../../../protocol/time.ts';
import { t } from '../../i18n.ts';
import { Choice } from '../../shared/Choice.tsx';
import { distance, unitText } from '../../shared/format.ts';
import { CHART_HEIGHT, CHART_PLACES, CHART_WIDTH, chartOf } from './candleShapes.ts';
import { marketName, priceText } from './marketText.ts';

const MINUTE_MS = 60_000;
const units = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** A length of time in words of the language, such as `15 min`. */
function lengthText(milliseconds: number): string {
  const [unit, one] = units.find(([, size]) => milliseconds >= size) ?? ['minute', MINUTE_MS];
  return unitText(milliseconds / one, unit);
}

interface CandleChartProps {
  readonly market: MarketView;
  readonly data: MarketDataView;
  /** `null` while they are not read. */
  readonly candles: readonly CandleView[] | null;
  readonly interval: ChartInterval;
  readonly onInterval: (interval: ChartInterval) => void;
}

/**
 * Prices over time. A candle that rose is hollow, one that fell is filled; a line goes through the
 * last price.
 */
export function CandleChart({ market, data, candles, interval, onInterval }: CandleChartProps) {
  const length = candleIntervals[interval];
  const chart = candles && chartOf(candles, length, data.at);
  return (
    <section class="chart" dir="ltr">
      {chart === null ? (
        <p class="empty chart-empty" dir="auto">
          {t(candles === null ? 'tradeChartUnread' : 'tradeNothing')}
        </p>
      ) : (
        <div class="chart-frame">
          <svg
            viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            focusable="false"
            aria-label={t('tradeChart', {
              market: marketName(market),
              length: lengthText(length * CHART_PLACES),
              open: priceText(chart.open),
              close: priceText(chart.close),
              low: priceText(chart.low),
              high: priceText(chart.high),
            })}
          >
            <path class="chart-last" d={`M0 ${chart.last}H${CHART_WIDTH}`} />
            {chart.shapes.map(({ at, rises, x, high, low, top, bottom }) => (
              <g key={at} class={rises ? 'candle candle-up' : 'candle candle-down'}>
                <path d={`M${x} ${high}V${top}M${x} ${bottom}V${low}`} />
                <rect x={x - 3} y={top} width="6" height={Math.max(bottom - top, 1)} />
              </g>
            ))}
          </svg>
          <div class="chart-range" aria-hidden="true">
            <bdi>{priceText(chart.high)}</bdi>
            {chart.low !== chart.high && <bdi>{priceText(chart.low)}</bdi>}
          </div>
          <div class="chart-times" aria-hidden="true">
            <bdi>−{lengthText(length * CHART_PLACES)}</bdi>
            <bdi>{distance(data.at, data.at)}</bdi>
          </div>
          {chart.isSparse && (
            <p class="chart-few" dir="auto">
              {t('tradeFew')}
            </p>
          )}
        </div>
      )}
      <Choice
        legend={t('tradeInterval')}
        options={chartIntervals}
        text={(one) => lengthText(candleIntervals[one])}
        chosen={interval}
        onChoose={onInterval}
      />
    </section>
  );
}
