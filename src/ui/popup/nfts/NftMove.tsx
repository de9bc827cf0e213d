import { useState } from 'preact/hooks';
import type { AccountView, NftView, WalletState } from '../../../messaging/views.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import { t } from '../../i18n.ts';
import { checkAddress } from '../../shared/checkAddress.ts';
import { free, freeOf } from '../../shared/free.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { Ahead } from '../move/Ahead.tsx';
import { AmountField } from '../move/AmountField.tsx';
import { FeeLine } from '../move/FeeLine.tsx';
import { RecipientField } from '../move/RecipientField.tsx';
import { RequestForm } from '../move/RequestForm.tsx';
import { type OperationRequest, usePreview } from '../move/usePreview.ts';
import { useRecipients } from '../move/useRecipients.ts';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';
import { NftStrip } from './NftStrip.tsx';
import { nftCount } from './nftCount.ts';

interface NftMoveProps {
  readonly kind: 'transfer' | 'withdraw';
  readonly nft: NftView;
  readonly account: AccountView;
  readonly wallet: WalletState;
}

const texts = {
  transfer: { title: 'nftSendTitle', recipient: 'sendTo', operation: 'transferNft' },
  withdraw: { title: 'nftWithdrawTitle', recipient: 'withdrawTo', operation: 'withdrawNft' },
} as const;

function Form({ kind, nft, account, wallet }: NftMoveProps) {
  const { operation, recipient: recipientLabel } = texts[kind];
  const available = free(nft);
  const [count, setCount] = useState('1');
  const [recipient, setRecipient] = useState(kind === 'withdraw' ? account.owner : '');
  const [feeToken, setFeeToken] = useState<number | null>(null);
  const [tried, setTried] = useState(false);
  const known = useRecipients(wallet, account.networkId, kind === 'transfer');
  const balances = useQuery('getBalances', { account: account.id });
  const fees = useQuery('getFees', { operation, account: account.id, tokenAddress: nft.tokenAddress });
  const holds = (tokenId: number) => freeOf(balances.data, tokenId);
  const payable = fees.data?.find((offer) => holds(offer.token.tokenId) >= BigInt(offer.volume));
  const fee = fees.data?.find((offer) => offer.token.tokenId === feeToken) ?? payable ?? fees.data?.[0];
  const feeShort = fee !== undefined && balances.data != null && holds(fee.token.tokenId) < BigInt(fee.volume);
  const { amount, problem } = nftCount(count, tried, available);
  const self = kind === 'transfer' ? account.owner : undefined;
  const checked = checkAddress(recipient, self);
  const request: OperationRequest | null =
    amount === null || !('address' in checked) || !fee || feeShort
      ? null
      : {
          operation,
          account: account.id,
          intent: {
            token: { tokenId: nft.slot, nftData: nft.nftData, amount },
            [kind === 'transfer' ? 'toAddress' : 'to']: checked.address,
            feeTokenId: fee.token.tokenId,
          },
        };
  const preview = usePreview(request);
  const unit: TokenFacts = { tokenId: nft.slot, symbol: 'NFT', name: 'NFT', address: nft.tokenAddress, decimals: 0 };
  return (
    <RequestForm
      request={request}
      onApproved={() => goTo('nfts')}
      onTried={() => setTried(true)}
      pending={tried && fees.data === undefined && fees.error === null}
    >
      {(nft.total !== '1' || problem !== null) && (
        <AmountField
          token={unit}
          text={count}
          onText={setCount}
          available={available}
          onMax={() => setCount(String(available))}
          error={problem}
        />
      )}
      <RecipientField
        label={t(recipientLabel)}
        text={recipient}
        onText={setRecipient}
        known={known}
        self={self}
        tried={tried}
      />
      <Ahead preview={preview} />
      <FeeLine
        offers={fees.data}
        error={fees.error}
        onRetry={() => void fees.reload()}
        chosen={fee?.token.tokenId ?? null}
        onChoose={setFeeToken}
        short={feeShort}
      />
    </RequestForm>
  );
}

/** Sends or withdraws an NFT. */
export function NftMove(props: NftMoveProps) {
  const { kind, nft } = props;
  return (
    <Page title={t(texts[kind].title)} back={['nfts', String(nft.slot)]}>
      <NftStrip nft={nft} />
      <Form {...props} />
    </Page>
  );
}
