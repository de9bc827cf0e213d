import { useState } from 'preact/hooks';
import type { AccountView, BalanceView, MarketDataView, MarketView, OrderView } from '../../../messaging/views.ts';
import { BIPS, MAX_FEE_BIPS } from '../../../protocol/limits.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { amountProblem } from '../../shared/amountProblem.ts';
import { Button } from '../../shared/Button.tsx';
import { Choice } from '../../shared/Choice.tsx';
import { amountText, percent, symbolText } from '../../shared/format.ts';
import { freeOf } from '../../shared/free.ts';
import { exactDecimal, PRICE_DECIMALS, scaledPrice, significant } from '../../shared/numbers.ts';
import { parseAmount, typedAmount } from '../../shared/parseAmount.ts';
import { Row } from '../../shared/Row.tsx';
import { Ahead } from '../move/Ahead.tsx';
import { AmountField } from '../move/AmountField.tsx';
import { RequestForm } from '../move/RequestForm.tsx';
import { type OperationRequest, usePreview } from '../move/usePreview.ts';
import { priceText } from './marketText.ts';
import { fillsNow, offersTo, orderTerms, reachesOwn, type Side, sizeFor } from './orderTerms.ts';

const sides = ['BUY', 'SELL'] as const;
/** Offered shares of what is free, in ten-thousandths. */
const shares = [2_500, 5_000, 7_500, 10_000] as const;
/** Offered highest fees, in ten-thousandths. With the last one an exchange takes every order. */
const maxFees = [20, 40, MAX_FEE_BIPS] as const;

/** Digits of an amount that was computed from a share. */
const SHARE_DIGITS = 8;

interface TradeFormProps {
  readonly account: AccountView;
  readonly market: MarketView;
  readonly balances: readonly BalanceView[] | null;
  /** Open orders of the market; `undefined` while the exchange has not said all of them. */
  readonly own: readonly OrderView[] | undefined;
  readonly side: Side;
  readonly onSide: (side: Side) => void;
  /** As typed. */
  readonly price: string;
  readonly onPrice: (price: string) => void;
  readonly data: MarketDataView | undefined;
}

/**
 * A limit order. It becomes an approval request like every other; what is beside it here is only to
 * decide by.
 */
export function TradeForm({ account, market, balances, own, side, onSide, price, onPrice, data }: TradeFormProps) {
  const [size, setSize] = useState('');
  const [maxFee, setMaxFee] = useState<number>(MAX_FEE_BIPS);
  const [tried, setTried] = useState(false);
  const { base, quote } = market;
  const sold = side === 'BUY' ? quote : base;
  const available = balances === null ? undefined : freeOf(balances, sold.tokenId);
  const parsed = { price: parseAmount(price, PRICE_DECIMALS), size: parseAmount(size, base.decimals) };
  const priceGiven = 'volume' in parsed.price ? BigInt(parsed.price.volume) : 0n;
  const sizeGiven = 'volume' in parsed.size ? BigInt(parsed.size.volume) : 0n;
  const terms = priceGiven > 0n && sizeGiven > 0n ? orderTerms(side, sizeGiven, priceGiven, maxFee, market) : null;

  const tooMuch = terms !== null && available !== undefined && terms.sell.volume > available;
  const isDust = terms !== null && (terms.sell.volume === 0n || terms.least <= 0n);
  const priceProblem = amountProblem(parsed.price, { ...quote, decimals: PRICE_DECIMALS }, tried);
  const sizeProblem =
    amountProblem(parsed.size, base, tried) ??
    (tooMuch ? t('amountTooMuch', { token: symbolText(sold) }) : isDust ? t('amountZero') : null);

  const request: OperationRequest | null =
    terms === null || tooMuch || isDust
      ? null
      : {
          operation: 'submitOrder',
          account: account.id,
          intent: {
            sellToken: { tokenId: terms.sell.token.tokenId, volume: String(terms.sell.volume) },
            buyToken: { tokenId: terms.buy.token.tokenId, volume: String(terms.buy.volume) },
            // The amount that was typed is the one that ends the order.
            fillAmountBOrS: side === 'BUY',
            maxFeeBips: maxFee,
          },
        };
  const preview = usePreview(request);

  const offers = data?.book ? offersTo(side, data.book) : null;
  const best = offers?.[0]?.price;
  // A pool's offers in the book go only to orders that allow its fee, which no offer names.
  const now =
    maxFee === MAX_FEE_BIPS &&
    terms &&
    offers &&
    own &&
    !reachesOwn(side, priceGiven, own) &&
    fillsNow(side, sizeGiven, priceGiven, offers);
  const take = (share: number) => {
    if (available === undefined) return;
    const most = sizeFor(side, (available * BigInt(share)) / BIPS, priceGiven, market);
    const exact = exactDecimal(String(most), base.decimals) ?? '0';
    const text = side === 'BUY' ? significant(exact, SHARE_DIGITS, false).text : exact;
    const volume = parseAmount(text, base.decimals, 'en');
    if ('volume' in volume) setSize(typedAmount(volume.volume, base.decimals));
  };

  return (
    <RequestForm
      request={request}
      onApproved={() => {
        setSize('');
        setTried(false);
      }}
      onTried={() => setTried(true)}
      isCard
    >
      <Choice
        legend={t('tradeTitle')}
        options={sides}
        text={(one) => t(one === 'BUY' ? 'orderBuy' : 'orderSell', { amount: symbolText(base) })}
        chosen={side}
        onChoose={onSide}
      />
      <AmountField
        label={t('review_price')}
        token={quote}
        text={price}
        onText={onPrice}
        error={priceProblem}
        {...(best === undefined
          ? {}
          : {
              offer: {
                text: t('tradeBest', { price: priceText(best, side) }),
                onTake: () => onPrice(typedAmount(String(scaledPrice(best)), PRICE_DECIMALS)),
              },
            })}
      />
      <AmountField token={base} text={size} onText={setSize} error={sizeProblem} />
      <fieldset class="trade-shares">
        <legend class="soft">
          {available === undefined
            ? t('moveAmount')
            : t('moveAvailable', {
                amount: amountText({ volume: String(available), token: sold, least: true }),
              })}
        </legend>
        {shares.map((share) => (
          <Button
            key={share}
            small
            disabled={available === undefined || available === 0n || (side === 'BUY' && priceGiven === 0n)}
            onClick={() => take(share)}
          >
            {percent(share)}
          </Button>
        ))}
      </fieldset>
      <dl class="rows">
        {terms !== null && (
          <>
            <Row label="review_pay">
              <Amount volume={String(terms.sell.volume)} token={terms.sell.token} />
            </Row>
            <Row label="orderYouReceive">
              <Amount volume={String(terms.least < 0n ? 0n : terms.least)} token={terms.buy.token} least />
            </Row>
          </>
        )}
        {now && (
          <Row label="tradeFillsNow">
            <Amount volume={String(now.filled)} token={base} least />
            {now.impactBips > 0 && <span class="row-note">{t('tradeImpact', { share: percent(now.impactBips) })}</span>}
          </Row>
        )}
        <Row label="review_worstFee">
          <select
            class="trade-fee"
            aria-label={t('review_worstFee')}
            value={String(maxFee)}
            onChange={(event) => setMaxFee(Number(event.currentTarget.value))}
          >
            {maxFees.map((bips) => (
              <option key={bips} value={String(bips)}>
                {percent(bips)}
              </option>
            ))}
          </select>
        </Row>
      </dl>
      <Ahead preview={preview} />
    </RequestForm>
  );
}
