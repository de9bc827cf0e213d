import type { OrderView } from '../../../messaging/views.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import { BIPS, MIN_NFT_TOKEN_ID, ZERO_ADDRESS } from '../../../protocol/limits.ts';
import { isOpenOrder } from '../../../protocol/states.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import type { Tone } from '../../shared/Banner.tsx';
import { amountText, percent, symbolText } from '../../shared/format.ts';
import { isSome } from '../../shared/free.ts';
import { Price, PriceText } from '../../shared/Price.tsx';
import { HexRow, Row } from '../../shared/Row.tsx';
import { Time } from '../../shared/Time.tsx';
import { visibleText } from '../../shared/visibleText.ts';
import { EntryFrame } from '../EntryFrame.tsx';
import { OrderTools } from './OrderTools.tsx';

const statusTexts: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  processing: { label: 'orderOpen', tone: 'good' },
  waiting: { label: 'orderWaiting', tone: 'neutral' },
  cancelling: { label: 'orderCancelling', tone: 'notice' },
  processed: { label: 'orderFilled', tone: 'good' },
  cancelled: { label: 'orderCancelled', tone: 'neutral' },
  expired: { label: 'orderExpired', tone: 'neutral' },
  failed: { label: 'orderFailed', tone: 'danger' },
};

/** Ten-thousandths of an order that are filled, rounded down: only a whole one is 100 %. */
export function filledBips(order: OrderView): number {
  // What was left of it, if anything, was too little to be filled.
  if (order.status === 'processed') return Number(BIPS);
  const share = (filled: string, amount: string) =>
    /^\d+$/.test(filled) && /^[1-9]\d*$/.test(amount) ? Number((BigInt(filled) * BIPS) / BigInt(amount)) : 0;
  // The amount that ends the order: what the account gives, unless it was signed by what it gets.
  const endsByBuying = order.terms?.fillAmountBOrS === true;
  const bips =
    (order.side === 'BUY') === endsByBuying
      ? share(order.baseFilled, order.baseAmount)
      : share(order.quoteFilled, order.quoteAmount);
  return Math.min(Number(BIPS), bips);
}

/** Counts NFTs in the place of a token's base units. */
const NFT_COUNT: TokenFacts = {
  tokenId: MIN_NFT_TOKEN_ID,
  symbol: 'NFT',
  name: 'NFT',
  address: ZERO_ADDRESS,
  decimals: 0,
};

interface OrderEntryProps {
  readonly order: OrderView;
  readonly account: string;
}

/**
 * One order: what for what, how much of it is done; details and what can be done with it open in
 * place.
 */
export function OrderEntry({ order, account }: OrderEntryProps) {
  const status = statusTexts[order.status] ?? { label: 'statusNotKnown', tone: 'notice' };
  const { quote, nftData } = order;
  const base = nftData === null ? order.base : NFT_COUNT;
  const bips = filledBips(order);
  const buys = order.side === 'BUY';
  const baseAmount =
    base === null
      ? visibleText(order.baseAmount, 90)
      : amountText({ volume: order.baseAmount, token: base, least: buys });
  const price = base &&
    quote && { value: order.price, exact: true, quote: symbolText(quote), base: symbolText(base), paid: buys };
  const isOpen = isOpenOrder(order);
  const canEnd = nftData === null && order.terms !== undefined;
  return (
    <EntryFrame
      head={
        <>
          <span class="order-line">
            <span class="order-what">{t(buys ? 'orderBuy' : 'orderSell', { amount: baseAmount })}</span>
            <span class="order-price">
              {price ? <PriceText price={price} /> : <bdi>{visibleText(order.market, 40)}</bdi>}
            </span>
          </span>
          <span class="meter">
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <rect class="meter-done" width={bips / 100} height="1" />
            </svg>
          </span>
        </>
      }
      status={status}
      aside={t('orderFilledShare', { share: percent(bips) })}
    >
      <dl class="rows">
        {base !== null && (
          <Row label="orderAmount">
            <Amount volume={order.baseAmount} token={base} least={buys} />
          </Row>
        )}
        {quote !== null && (
          <Row label={buys ? 'orderFrom' : 'orderFor'}>
            <Amount volume={order.quoteAmount} token={quote} least={!buys} />
          </Row>
        )}
        {base !== null && (
          <Row label="review_filledSoFar">
            <Amount volume={order.baseFilled} token={base} least={buys} />
            {quote !== null && isSome(order.quoteFilled) && (
              <Amount volume={order.quoteFilled} token={quote} least={!buys} />
            )}
          </Row>
        )}
        <Row label="review_price">{price ? <Price price={price} /> : visibleText(order.price, 90)}</Row>
        <HexRow label="nftData" hex={nftData} />
        <Row label="review_expires">
          <Time milliseconds={order.validUntil} />
        </Row>
        {order.clientOrderId !== '' && (
          <Row label="review_clientOrderId">
            <bdi class="outside">{visibleText(order.clientOrderId, 120)}</bdi>
          </Row>
        )}
        <HexRow label="activityHash" hex={order.hash} />
        {order.storageId !== null && <Row label="activityStorageId">{order.storageId}</Row>}
      </dl>
      {(isOpen || (order.status === 'cancelled' && canEnd)) && (
        <OrderTools
          account={account}
          hash={order.hash}
          isOpen={isOpen}
          canEnd={canEnd}
          canReplace={canEnd && base !== null && quote !== null}
        />
      )}
    </EntryFrame>
  );
}
