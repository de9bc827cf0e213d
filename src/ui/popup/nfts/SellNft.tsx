import { useLayoutEffect, useState } from 'preact/hooks';
import type { AccountView, NftView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { amountProblem } from '../../shared/amountProblem.ts';
import { Field } from '../../shared/Field.tsx';
import { symbolText } from '../../shared/format.ts';
import { free } from '../../shared/free.ts';
import { parseAmount } from '../../shared/parseAmount.ts';
import { Select } from '../../shared/Select.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { Ahead } from '../move/Ahead.tsx';
import { AmountField } from '../move/AmountField.tsx';
import { PreviewRows } from '../move/PreviewRows.tsx';
import { RequestForm } from '../move/RequestForm.tsx';
import { type OperationRequest, usePreview } from '../move/usePreview.ts';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';
import { NftStrip } from './NftStrip.tsx';
import { nftCount } from './nftCount.ts';

interface SellNftProps {
  readonly nft: NftView;
  readonly account: AccountView;
}

/**
 * Offers an NFT for sale: a signed order that the exchange holds, at a price for all that is
 * offered.
 */
export function SellNft({ nft, account }: SellNftProps) {
  const markets = useQuery('getMarkets', { account: account.id });
  // Prices are in what other orders of the exchange are priced in; which of them NFTs may use, the
  // exchange says.
  const quotes = [...new Map((markets.data ?? []).map(({ quote }) => [quote.tokenId, quote])).values()];
  const [quoteId, setQuoteId] = useState<number | null>(null);
  const [count, setCount] = useState('1');
  const [price, setPrice] = useState('');
  const [tried, setTried] = useState(false);
  const quote = quotes.find(({ tokenId }) => tokenId === quoteId) ?? quotes[0];
  const drawn = quote?.tokenId;
  // A price belongs to the token that it was typed for; the first one may be another one later.
  useLayoutEffect(() => {
    if (drawn === undefined) return;
    setQuoteId(drawn);
    setPrice('');
  }, [drawn]);
  const offered = nftCount(count, tried, free(nft));
  const asked = parseAmount(price, quote?.decimals ?? 0);
  const priceProblem = quote === undefined ? null : amountProblem(asked, quote, tried);
  const request: OperationRequest | null =
    quote === undefined || offered.amount === null || priceProblem !== null || !('volume' in asked)
      ? null
      : {
          operation: 'signNftOrder',
          account: account.id,
          intent: {
            sellToken: { tokenId: nft.slot, nftData: nft.nftData, amount: offered.amount },
            buyToken: { tokenId: quote.tokenId, amount: asked.volume },
            validate: true,
          },
        };
  const preview = usePreview(request);
  const isRounded = preview?.review?.rows.some(({ label }) => label.key === 'review_price') ?? false;
  return (
    <Page title={t('nftSell')} back={['nfts', String(nft.slot)]}>
      <NftStrip nft={nft} />
      {markets.data === undefined && markets.error === null ? (
        <SkeletonList rows={4} />
      ) : (
        <RequestForm
          request={request}
          onApproved={() => goTo('orders')}
          onTried={() => setTried(true)}
          error={markets.error}
        >
          <p class="soft lead">{t('nftSellMeaning')}</p>
          {(nft.total !== '1' || count !== '1' || offered.problem !== null) && (
            <Field label={t('moveAmount')} value={count} onInput={setCount} maxLength={30} error={offered.problem} />
          )}
          {quotes.length > 1 && (
            <Select
              label={t('moveToken')}
              options={quotes.map((token) => [String(token.tokenId), symbolText(token)])}
              chosen={String(quote?.tokenId)}
              onChoose={(chosen) => setQuoteId(Number(chosen))}
            />
          )}
          {quote !== undefined ? (
            <AmountField label={t('review_price')} token={quote} text={price} onText={setPrice} error={priceProblem} />
          ) : (
            markets.data !== undefined && <p class="empty">{t('tradeNoMarkets')}</p>
          )}
          <PreviewRows
            preview={preview}
            labels={[...(isRounded ? ['review_price'] : []), 'review_receive', 'review_worstFee', 'review_expires']}
          />
          <Ahead preview={preview} />
        </RequestForm>
      )}
    </Page>
  );
}
