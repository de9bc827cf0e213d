import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { REVIEW_HOLDS_MS } from '../../../messaging/reviewAge.ts';
import type { UiParams } from '../../../messaging/uiMethods.ts';
import type { AccountView } from '../../../messaging/views.ts';
import type { Review } from '../../../operations/review.ts';
import { HOUR_SECONDS } from '../../../protocol/time.ts';
import { call, UiCallError } from '../../background.ts';
import { t, tCount } from '../../i18n.ts';
import { AccountLine } from '../../shared/AccountLine.tsx';
import { amountProblem } from '../../shared/amountProblem.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { symbolText } from '../../shared/format.ts';
import { PRICE_DECIMALS } from '../../shared/numbers.ts';
import { Problem, wrongPassword } from '../../shared/Problem.tsx';
import { parseAmount, typedAmount } from '../../shared/parseAmount.ts';
import { ReviewedRow } from '../../shared/ReviewRows.tsx';
import { Select } from '../../shared/Select.tsx';
import { Site } from '../../shared/Site.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Ahead } from '../move/Ahead.tsx';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';

/** Offered lives, in hours. */
const lives = [1, 4, 24, 168] as const;
/** Offered rates: signatures within a minute. */
const rates = [1, 5, 20, 60] as const;
const MINUTE = 60;

/** Base units of a typed amount, `null` when it is none or zero. */
function volumeOf(text: string, decimals: number): string | null {
  const parsed = parseAmount(text, decimals);
  return 'volume' in parsed && parsed.volume !== '0' ? parsed.volume : null;
}

/** Limits of the approval, with the prices of the market beside its worst one, and the warnings. */
function Reviewed({ review }: { readonly review: Review }) {
  return (
    <>
      <dl class="rows card">
        {review.rows.map((row) => (
          <ReviewedRow key={row.label.key} row={row} />
        ))}
      </dl>
      <Ahead preview={{ review, refused: null }} />
    </>
  );
}

/** The user allows a site ahead: `#/standing/ORIGIN`. */
export function StandingScreen({ wallet, rest: [origin = ''] }: ScreenProps) {
  const sites = useQuery('listSites', {});
  const granted = sites.data?.find((site) => site.origin === origin)?.grants ?? [];
  const accounts = wallet.accounts.filter(({ id }) =>
    granted.some((grant) => grant.account === id && grant.kinds.includes('orders')),
  );
  const [chosen, setChosen] = useState(wallet.selectedAccount);
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const networkOf = ({ networkId }: AccountView) => wallet.networks.find(({ id }) => id === networkId) ?? null;
  const markets = useQuery('getMarkets', account === undefined ? null : { account: account.id });
  const [marketName, setMarket] = useState('');
  const [side, setSide] = useState<'SELL' | 'BUY'>('SELL');
  const [price, setPrice] = useState('');
  const [order, setOrder] = useState('');
  const [total, setTotal] = useState('');
  const [perMinute, setPerMinute] = useState('5');
  const [hours, setHours] = useState('1');
  const market = markets.data?.find((candidate) => candidate.market === marketName) ?? markets.data?.[0];
  const [sell, buy] =
    market === undefined ? [] : side === 'SELL' ? [market.base, market.quote] : [market.quote, market.base];
  const orderVolume = sell && volumeOf(order, sell.decimals);
  const totalVolume = sell && volumeOf(total, sell.decimals);
  const worst = volumeOf(price, PRICE_DECIMALS);
  const fits = orderVolume && totalVolume && BigInt(orderVolume) <= BigInt(totalVolume);
  const chosenTerms = JSON.stringify([
    account?.id,
    market?.market,
    side,
    worst,
    orderVolume,
    totalVolume,
    perMinute,
    hours,
  ]);
  const [reviewed, setReviewed] = useState<{
    readonly id: string;
    readonly of: string;
    readonly asked: UiParams<'previewStanding'>;
    readonly review: Review;
  } | null>(null);
  // A review of other terms is none of these.
  const review = reviewed?.of === chosenTerms ? reviewed.review : null;
  const needsPassword = review?.warnings.some((warning) => warning.password) ?? false;
  const [typed, setTyped] = useState({ review, password: '' });
  // A password that was typed for one review allows nothing of another one.
  const password = typed.review === review ? typed.password : '';
  useEffect(() => {
    if (review === null) return;
    // The market moves on: what was read long ago is not what would be allowed.
    const timer = setTimeout(() => setReviewed(null), REVIEW_HOLDS_MS);
    return () => clearTimeout(timer);
  }, [review]);
  const add = useAction(async () => {
    if (!account || !sell || !buy || !worst || !orderVolume || !totalVolume) return;
    const asked = {
      account: account.id,
      terms: {
        sellTokenId: sell.tokenId,
        buyTokenId: buy.tokenId,
        [side === 'SELL' ? 'minPrice' : 'maxPrice']: typedAmount(worst, PRICE_DECIMALS, 'en'),
        orderVolume,
        totalVolume,
        rate: { requests: Number(perMinute), seconds: MINUTE },
        validUntil: Math.floor(Date.now() / 1000) + Number(hours) * HOUR_SECONDS,
      },
    };
    if (reviewed === null || review === null) {
      const next = await call('previewStanding', asked);
      return setReviewed({ id: crypto.randomUUID(), of: chosenTerms, asked, review: next });
    }
    try {
      await call('addStanding', { id: reviewed.id, origin, ...reviewed.asked, ...(needsPassword ? { password } : {}) });
    } catch (error) {
      // The market has moved so far that the review would ask for the password now.
      if (error instanceof UiCallError && error.code === 'password-needed') setReviewed(null);
      throw error;
    }
    goTo('sites');
  });
  /** Numbers belong to the tokens that they were typed for. */
  const clearNumbers = () => {
    setPrice('');
    setOrder('');
    setTotal('');
  };
  const drawn = market?.market;
  // The first market may be another one when the list is read again.
  useLayoutEffect(() => {
    if (drawn === undefined) return;
    setMarket(drawn);
    clearNumbers();
  }, [drawn]);
  const symbol = (token: { symbol: string } | undefined) => symbolText(token ?? { symbol: '' });
  const problemOf = (text: string, token: { symbol: string; decimals: number } | undefined) =>
    token === undefined ? null : amountProblem(parseAmount(text, token.decimals), token, false);
  const wrong = wrongPassword(add.error);
  return (
    <Page title={t('standing_new')} back={['sites']}>
      <p>
        <Site origin={origin} />
      </p>
      <p class="soft">{t('warning_standingUnasked')}</p>
      <Problem error={sites.error ?? markets.error ?? (wrong === null ? add.error : null)} />
      {sites.data !== undefined && account === undefined && <p class="empty">{t('standing_noAccount')}</p>}
      {account !== undefined && (
        <>
          {accounts.length > 1 && (
            <Select
              label={t('approvalAccount')}
              chosen={account.id}
              options={accounts.map((one) => [
                one.id,
                [one.label, networkOf(one)?.name ?? ''].map((name) => visibleText(name, 60)).join(' · '),
              ])}
              onChoose={(id) => {
                setChosen(id);
                clearNumbers();
              }}
            />
          )}
          {/* The header names the account of the other screens, which can be another one. */}
          <div class="card">
            {accounts.length === 1 && <span class="visually-hidden">{t('approvalAccount')} </span>}
            <AccountLine account={account} network={networkOf(account)} />
          </div>
        </>
      )}
      {account !== undefined && market !== undefined && (
        <>
          <Select
            label={t('review_market')}
            chosen={market.market}
            options={(markets.data ?? []).map((one) => [one.market, visibleText(one.market, 40)])}
            onChoose={setMarket}
          />
          <Select
            label={t('standing_side')}
            chosen={side}
            options={[
              ['SELL', t('standing_sell', { symbol: symbol(market.base) })],
              ['BUY', t('standing_buy', { symbol: symbol(market.base) })],
            ]}
            onChoose={(value) => {
              setSide(value);
              clearNumbers();
            }}
          />
          <Field
            label={t(side === 'SELL' ? 'review_standingMinPrice' : 'review_standingMaxPrice')}
            value={price}
            onInput={setPrice}
            hint={t('standing_priceUnit', { quote: symbol(market.quote), base: symbol(market.base) })}
            error={problemOf(price, { ...market.quote, decimals: PRICE_DECIMALS })}
          />
          <Field
            label={`${t('review_standingOrder')} (${symbol(sell)})`}
            value={order}
            onInput={setOrder}
            error={problemOf(order, sell)}
          />
          <Field
            label={`${t('review_standingTotal')} (${symbol(sell)})`}
            value={total}
            onInput={setTotal}
            hint={t('review_standingTotalNote')}
            error={problemOf(total, sell) ?? (orderVolume && totalVolume && !fits ? t('standing_totalTooSmall') : null)}
          />
          <Select
            label={t('standing_perMinute')}
            chosen={perMinute}
            options={rates.map((rate) => [String(rate), String(rate)])}
            onChoose={setPerMinute}
          />
          <Select
            label={t('standing_life')}
            chosen={hours}
            options={lives.map((life) => [String(life), tCount('settingsHours', life)])}
            onChoose={setHours}
          />
          {review !== null && <Reviewed review={review} />}
          {needsPassword && (
            <Field
              label={t('approvalPassword')}
              secret="current-password"
              value={password}
              onInput={(password) => setTyped({ review, password })}
              hint={t('approvalPasswordHint')}
              error={wrong}
            />
          )}
          <Button
            tone="primary"
            wide
            busy={add.busy}
            disabled={!worst || !fits || (needsPassword && password === '')}
            onClick={add.run}
          >
            {t(review === null ? 'moveReview' : 'standing_allow')}
          </Button>
        </>
      )}
    </Page>
  );
}
