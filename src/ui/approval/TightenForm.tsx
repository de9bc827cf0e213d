import { useState } from 'preact/hooks';
import type { UiParams } from '../../messaging/uiMethods.ts';
import type { ApprovalView } from '../../messaging/views.ts';
import { HOUR_SECONDS } from '../../protocol/time.ts';
import { t, tCount } from '../i18n.ts';
import { amountProblem } from '../shared/amountProblem.ts';
import { Button } from '../shared/Button.tsx';
import { Disclosure } from '../shared/Disclosure.tsx';
import { Field } from '../shared/Field.tsx';
import { symbolText } from '../shared/format.ts';
import { PRICE_DECIMALS, scaledPrice } from '../shared/numbers.ts';
import { Problem } from '../shared/Problem.tsx';
import { parseAmount, typedAmount } from '../shared/parseAmount.ts';
import { Select } from '../shared/Select.tsx';
import type { Action } from '../shared/useAction.ts';

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
  const { decimals } = shown.sell;
  const worst = shown.side === 'SELL' ? 'minPrice' : 'maxPrice';
  const worstPrice = scaledPrice(terms[worst] ?? '0');
  const asked = {
    total: typedAmount(terms.totalVolume, decimals),
    order: typedAmount(terms.orderVolume, decimals),
    price: typedAmount(String(worstPrice), PRICE_DECIMALS),
    requests: String(terms.rate.requests),
    hours: '',
  };
  const [typed, setTyped] = useState(asked);
  const change = (part: keyof typeof asked) => (text: string) => {
    const next = { ...typed, [part]: text };
    setTyped(next);
    onEditing(JSON.stringify(next) !== JSON.stringify(asked));
  };
  const read = (
    text: string,
    token: { readonly symbol: string; readonly decimals: number },
    limit: string | bigint | number,
    isLeast = false,
  ) => {
    const parsed = parseAmount(text, token.decimals);
    const wrong = amountProblem(parsed, token, true);
    const value = 'volume' in parsed && wrong === null ? BigInt(parsed.volume) : null;
    const isLooser = value !== null && (isLeast ? value < BigInt(limit) : value > BigInt(limit));
    const problem = isLooser ? t('standing_wrongNumber') : wrong;
    return { problem, value: problem === null && value !== null ? String(value) : null };
  };
  const quote = shown.side === 'SELL' ? shown.buy : shown.sell;
  const limits = {
    total: read(typed.total, shown.sell, terms.totalVolume),
    order: read(typed.order, shown.sell, terms.orderVolume),
    price: read(typed.price, { ...quote, decimals: PRICE_DECIMALS }, worstPrice, worst === 'minPrice'),
    requests: read(typed.requests, { symbol: '', decimals: 0 }, terms.rate.requests),
  };
  const apply = () => {
    const [totalVolume, orderVolume] = [limits.total.value, limits.order.value];
    const [price, requests] = [limits.price.value, limits.requests.value];
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
  const field = (part: keyof typeof limits, label: string, hint?: string) => {
    const { problem } = limits[part];
    return (
      <Field
        label={label}
        value={typed[part]}
        onInput={change(part)}
        hint={hint}
        error={problem !== null && part === 'requests' ? t('standing_wrongNumber') : problem}
      />
    );
  };
  const { seconds } = terms.rate;
  const rateNote = seconds === 1 ? t('review_standingRateSecond') : t('review_standingRateNote', { seconds });
  const isWhole = Object.values(limits).every(({ problem }) => problem === null);
  const symbol = symbolText(shown.sell);
  const other = symbolText(shown.buy);
  const unit = worst === 'minPrice' ? { quote: other, base: symbol } : { quote: symbol, base: other };
  const remaining = terms.validUntil - Math.floor(Date.now() / 1000);
  return (
    <div class="tighten">
      <Disclosure title={t('standing_less')}>
        <p class="soft">{t('standing_lessMeaning')}</p>
        {terms.operations.includes('submitOrder') && (
          <>
            {field('total', `${t('review_standingTotal')} (${symbol})`)}
            {field('order', `${t('review_standingOrder')} (${symbol})`)}
            {field(
              'price',
              t(worst === 'minPrice' ? 'review_standingMinPrice' : 'review_standingMaxPrice'),
              t('standing_priceUnit', unit),
            )}
          </>
        )}
        {field('requests', t('review_standingRate'), rateNote)}
        <Select
          label={t('standing_life')}
          options={[
            ['', t('standing_asAsked')],
            ...lives
              .filter((life) => life * HOUR_SECONDS < remaining)
              .map((life) => [String(life), tCount('settingsHours', life)] as const),
          ]}
          chosen={typed.hours}
          onChoose={change('hours')}
        />
        <Problem error={tighten.error} />
        <Button wide busy={tighten.busy} disabled={!isWhole} onClick={apply}>
          {t('standing_lessApply')}
        </Button>
      </Disclosure>
    </div>
  );
}
