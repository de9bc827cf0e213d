import { useState } from 'preact/hooks';
import type { AccountView, OrderView } from '../../../messaging/views.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import { t } from '../../i18n.ts';
import { amountProblem } from '../../shared/amountProblem.ts';
import { parseAmount, typedAmount } from '../../shared/parseAmount.ts';
import { Ahead } from '../move/Ahead.tsx';
import { AmountField } from '../move/AmountField.tsx';
import { PreviewRows } from '../move/PreviewRows.tsx';
import { RequestForm } from '../move/RequestForm.tsx';
import { type OperationRequest, usePreview } from '../move/usePreview.ts';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';

interface ReplaceOrderProps {
  readonly order: OrderView;
  readonly base: TokenFacts;
  readonly quote: TokenFacts;
  readonly account: AccountView;
}

/**
 * Computes the amounts that an order has left to sell and to buy, base units. The amount that does
 * not end the order is rounded so that the price is never worse.
 */
export function remainder(order: OrderView): { readonly sell: bigint; readonly buy: bigint } {
  const base = { whole: BigInt(order.baseAmount), filled: BigInt(order.baseFilled) };
  const quote = { whole: BigInt(order.quoteAmount), filled: BigInt(order.quoteFilled) };
  const [sells, buys] = order.side === 'SELL' ? [base, quote] : [quote, base];
  const endsByBuying = order.terms?.fillAmountBOrS === true;
  const { whole, filled } = endsByBuying ? buys : sells;
  if (filled >= whole) return { sell: 0n, buy: 0n };
  const left = whole - filled;
  return endsByBuying
    ? { sell: (sells.whole * left) / whole, buy: left }
    : { sell: left, buy: (buys.whole * left + whole - 1n) / whole };
}

/**
 * A new order in the slot of an open one: when the exchange takes it, the old one can never fill
 * any more.
 */
export function ReplaceOrder({ order, base, quote, account }: ReplaceOrderProps) {
  const [sell, buy] = order.side === 'SELL' ? [base, quote] : [quote, base];
  const left = remainder(order);
  // Until something is typed the fields follow what is left; after that one amount alone would
  // change the price.
  const [typed, setTyped] = useState<{ readonly sellText: string; readonly buyText: string } | null>(null);
  const texts = typed ?? {
    sellText: typedAmount(String(left.sell), sell.decimals),
    buyText: typedAmount(String(left.buy), buy.decimals),
  };
  const { sellText, buyText } = texts;
  const pays = parseAmount(sellText, sell.decimals);
  const gets = parseAmount(buyText, buy.decimals);
  const problems = [amountProblem(pays, sell, true), amountProblem(gets, buy, true)] as const;
  const request: OperationRequest | null =
    problems[0] !== null || problems[1] !== null || !('volume' in pays) || !('volume' in gets)
      ? null
      : {
          operation: 'replaceOrder',
          account: account.id,
          intent: {
            replaces: order.hash,
            sellToken: { tokenId: sell.tokenId, volume: pays.volume },
            buyToken: { tokenId: buy.tokenId, volume: gets.volume },
            validUntil: Math.floor(order.validUntil / 1000),
            ...order.terms,
          },
        };
  const preview = usePreview(request, order.baseFilled);
  return (
    <Page title={t('orderReplaceTitle')} back={['orders']}>
      <RequestForm request={request} onApproved={() => goTo('orders')} disabled={request === null}>
        <p class="soft lead">{t('orderReplaceMeaning')}</p>
        <AmountField
          label={t('review_pay')}
          token={sell}
          text={sellText}
          onText={(text) => setTyped({ ...texts, sellText: text })}
          error={problems[0]}
        />
        <AmountField
          label={t('orderFor')}
          token={buy}
          text={buyText}
          onText={(text) => setTyped({ ...texts, buyText: text })}
          error={problems[1]}
        />
        <PreviewRows preview={preview} labels={['review_receive', 'review_worstFee']} />
        <Ahead preview={preview} />
      </RequestForm>
    </Page>
  );
}
