import { useId, useState } from 'preact/hooks';
import type { UiParams } from '../../messaging/uiMethods.ts';
import type { ApprovalView } from '../../messaging/views.ts';
import { HOUR_SECONDS } from '../../protocol/time.ts';
import { t, tCount } from '../i18n.ts';
import { Button } from '../shared/Button.tsx';
import { Disclosure } from '../shared/Disclosure.tsx';
import { Field } from '../shared/Field.tsx';
import { symbolLimit } from '../shared/format.ts';
import { PRICE_DECIMALS } from '../shared/numbers.ts';
import { Problem } from '../shared/Problem.tsx';
import { parseAmount, typedAmount } from '../shared/parseAmount.ts';
import type { Action } from '../shared/useAction.ts';
import { visibleText } from '../shared/visibleText.ts';

/** Shorter lives that are offered, in hours. */
const lives = [1, 4, 24] as const;

interface TightenFormProps {
  readonly standing: NonNullable<ApprovalView['standing']>;
  readonly tighten: Action<[UiParams<'tightenStanding'>['limits']]>;
  /** Something typed is not part of the approval request yet. */
  readonly onEditing: (editing: boolean) => void;
}

/**
 * Lets the user allow less than a site asks for. What is typed becomes a new approval request,
 * which is then read and approved.
 */
export function TightenForm({ standing: { terms, shown }, tighten, onEditing }: TightenFormProps) {
  const lifeId = useId();
  const { decimals } = shown.sell;
  const worst = shown.side === 'SELL' ? 'minPrice' : 'maxPrice';
  const asked = {
    total: typedAmount(terms.totalVolume, decimals),
    order: typedAmount(terms.orderVolume, decimals),
    price: typedAmount(pricePieces(terms[worst] ?? '0'), PRICE_DECIMALS),
    requests: String(terms.rate.requests),
    hours: '',
  };
  const [typed, setTyped] = useState(asked);
  const change = (part: keyof typeof asked) => (text: string) => {
    const next = { ...typed, [part]: text };
    setTyped(next);
    onEditing(JSON.stringify(next) !== JSON.stringify(asked));
  };
  const read = (text: string, places: number) => {
    const parsed = parseAmount(text, places);
    return 'volume' in parsed && parsed.volume !== '0' ? parsed.volume : null;
  };
  const limits = {
    totalVolume: read(typed.total, decimals),
    orderVolume: read(typed.order, decimals),
    price: read(typed.price, PRICE_DECIMALS),
    requests: read(typed.requests, 0),
  };
  const apply = () => {
    const { totalVolume, orderVolume, price, requests } = limits;
    if (!totalVolume || !orderVolume || !price || !requests) return;
    const validUntil = Math.floor(Date.now() / 1000) + Number(typed.hours) * HOUR_SECONDS;
    tighten.run({
      totalVolume,
      orderVolume,
      [worst]: typedAmount(price, PRICE_DECIMALS, 'en'),
      requests: Number(requests),
      ...(typed.hours === '' ? {} : { validUntil }),
    });
  };
  const field = (
    part: 'total' | 'order' | 'price' | 'requests',
    label: string,
    value: string | null,
    hint?: string,
  ) => (
    <Field
      label={label}
      value={typed[part]}
      onInput={change(part)}
      hint={hint}
      error={value === null ? t('standing_wrongNumber') : null}
    />
  );
  const isWhole = Object.values(limits).every((value) => value !== null);
  const symbol = visibleText(shown.sell.symbol, symbolLimit);
  const other = visibleText(shown.buy.symbol, symbolLimit);
  const unit = worst === 'minPrice' ? { quote: other, base: symbol } : { quote: symbol, base: other };
  const remaining = terms.validUntil - Math.floor(Date.now() / 1000);
  return (
    <div class="tighten">
      <Disclosure title={t('standing_less')}>
        <p class="soft">{t('standing_lessMeaning')}</p>
        {field('total', `${t('review_standingTotal')} (${symbol})`, limits.totalVolume)}
        {field('order', `${t('review_standingOrder')} (${symbol})`, limits.orderVolume)}
        {field(
          'price',
          t(worst === 'minPrice' ? 'review_standingMinPrice' : 'review_standingMaxPrice'),
          limits.price,
          t('standing_priceUnit', unit),
        )}
        {field(
          'requests',
          t('review_standingRate'),
          limits.requests,
          t('review_standingRateNote', { seconds: terms.rate.seconds }),
        )}
        <div class="field">
          <label for={lifeId}>{t('standing_life')}</label>
          <select id={lifeId} value={typed.hours} onChange={(event) => change('hours')(event.currentTarget.value)}>
            <option value="">{t('standing_asAsked')}</option>
            {lives
              .filter((life) => life * HOUR_SECONDS < remaining)
              .map((life) => (
                <option key={life} value={String(life)}>
                  {tCount('settingsHours', life)}
                </option>
              ))}
          </select>
        </div>
        <Problem error={tighten.error} />
        <Button wide busy={tighten.busy} disabled={!isWhole} onClick={apply}>
          {t('standing_lessApply')}
        </Button>
      </Disclosure>
    </div>
  );
}

/** Decimal text as a number of the smallest places. */
function pricePieces(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  return `${whole}${fraction.padEnd(PRICE_DECIMALS, '0')}`.replace(/^0+(?=\d)/, '');
}
