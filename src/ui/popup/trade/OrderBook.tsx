import type { BookLevel, MarketDataView, MarketView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { PRICE_DECIMALS, scaledPrice } from '../../shared/numbers.ts';
import { typedAmount } from '../../shared/parseAmount.ts';
import { listedSize, priceTexts } from './marketText.ts';

/** Levels of one side; more make nobody's decision at this size. */
const shown = 6;

interface SideProps {
  readonly label: string;
  readonly side: 'bids' | 'asks';
  readonly levels: readonly BookLevel[];
  readonly most: bigint;
  readonly market: MarketView;
  readonly onPrice: (price: string) => void;
}

function BookSide({ label, side, levels, most, market, onPrice }: SideProps) {
  const texts = priceTexts(
    levels.map(({ price }) => price),
    side === 'asks' ? 'BUY' : 'SELL',
  );
  return (
    <div class={`book-side book-${side}`}>
      <h3>{label}</h3>
      <ul>
        {levels.map((level, index) => (
          <li key={level.price}>
            <button
              type="button"
              class="book-level"
              onClick={() => onPrice(typedAmount(String(scaledPrice(level.price)), PRICE_DECIMALS))}
            >
              <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <rect width={most === 0n ? 0 : Number((BigInt(level.size) * 100n) / most)} height="1" />
              </svg>
              <bdi class="book-price">{texts[index]}</bdi> <bdi>{listedSize(level.size, market)}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface OrderBookProps {
  readonly market: MarketView;
  readonly book: NonNullable<MarketDataView['book']>;
  /** A price as it is typed. */
  readonly onPrice: (price: string) => void;
}

/** Shows the offers of others, best first. A press on a price puts it into the form. */
export function OrderBook({ market, book, onPrice }: OrderBookProps) {
  const bids = book.bids.slice(0, shown);
  const asks = book.asks.slice(0, shown);
  const most = [...bids, ...asks].reduce((top, { size }) => (BigInt(size) > top ? BigInt(size) : top), 0n);
  return (
    <section aria-labelledby="trade-book">
      <div class="section-head">
        <h2 id="trade-book">{t('tradeBook')}</h2>
      </div>
      {bids.length + asks.length === 0 ? (
        <p class="empty">{t('tradeNothing')}</p>
      ) : (
        <div class="book">
          <BookSide label={t('tradeBids')} side="bids" levels={bids} {...{ most, market, onPrice }} />
          <BookSide label={t('tradeAsks')} side="asks" levels={asks} {...{ most, market, onPrice }} />
        </div>
      )}
    </section>
  );
}
