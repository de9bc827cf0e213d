import { useState } from 'preact/hooks';
import type { AccountView } from '../../../messaging/views.ts';
import { CidError, nftIdFromCid } from '../../../protocol/cid.ts';
import { t } from '../../i18n.ts';
import { Field } from '../../shared/Field.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { Ahead } from '../move/Ahead.tsx';
import { FeeLine } from '../move/FeeLine.tsx';
import { RequestForm } from '../move/RequestForm.tsx';
import { type OperationRequest, usePreview } from '../move/usePreview.ts';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';
import { nftCount } from './nftCount.ts';

/** Letters of an IPFS name; fewer are one that is being typed. */
const NAME_LETTERS = 46;

/** Names the text for what is wrong with an IPFS name; `null` when the exchange can store it. */
function problemOf(name: string): string | null {
  if (name === '') return 'nftMintNoIpfs';
  if (/[/:]/.test(name)) return 'nftMintLink';
  if (/^baf[a-z2-7]+$/.test(name)) return 'nftMintNewer';
  try {
    nftIdFromCid(name);
    return null;
  } catch (error) {
    if (error instanceof CidError) return 'nftMintWrong';
    throw error;
  }
}

/** Mints NFTs of an IPFS name under the account's own contract. */
export function MintNft({ account }: { readonly account: AccountView }) {
  const [cid, setCid] = useState('');
  const [count, setCount] = useState('1');
  const [factory, setFactory] = useState('');
  const [needsFactory, setNeedsFactory] = useState(false);
  const [contract, setContract] = useState<string | null>(null);
  const [feeToken, setFeeToken] = useState<number | null>(null);
  const [tried, setTried] = useState(false);
  const minted = nftCount(count, tried);
  const name = cid.trim();
  const problem = problemOf(name);
  const isTyping = name.length < NAME_LETTERS && problem !== 'nftMintLink' && problem !== 'nftMintNewer';
  const fees = useQuery(
    'getFees',
    contract === null ? null : { operation: 'mintNft', account: account.id, tokenAddress: contract },
  );
  const picked = fees.data?.find(({ token }) => token.tokenId === feeToken)?.token;
  const request: OperationRequest | null =
    problem !== null || minted.amount === null
      ? null
      : {
          operation: 'mintNft',
          account: account.id,
          intent: {
            cid: name,
            amount: minted.amount,
            ...(factory === '' ? {} : { nftFactory: factory.trim() }),
            ...(picked && { feeTokenId: picked.tokenId }),
          },
        };
  const preview = usePreview(request);
  const shown = (key: string) => preview?.review?.rows.find(({ label }) => label.key === key)?.value;
  const fee = shown('review_fee');
  const minter = shown('review_nftContract');
  if (minter?.kind === 'address' && minter.address !== contract) setContract(minter.address);
  // Chains without an official factory need one by name; once asked for, the field stays.
  const isFactoryAsked = preview?.refused?.field === 'nftFactory';
  if (!needsFactory && isFactoryAsked) setNeedsFactory(true);
  return (
    <Page title={t('act_mintNft')} back={['nfts']}>
      <RequestForm request={request} onApproved={() => goTo('nfts')} onTried={() => setTried(true)}>
        <p class="soft lead">{t('nftMintMeaning')}</p>
        <Field
          label={t('nftIpfs')}
          value={cid}
          onInput={setCid}
          mono
          maxLength={64}
          hint={t('nftMintIpfs')}
          error={problem === null || (isTyping && !tried) ? null : t(problem)}
        />
        <Field label={t('moveAmount')} value={count} onInput={setCount} maxLength={30} error={minted.problem} />
        {needsFactory && (
          <Field
            label={t('nftFactory')}
            value={factory}
            onInput={setFactory}
            mono
            maxLength={42}
            hint={t('nftFactoryHint')}
          />
        )}
        <FeeLine
          offers={fees.data}
          error={fees.error}
          onRetry={() => void fees.reload()}
          // Until one is picked, the token that the wallet takes by itself.
          chosen={(picked ?? (fee?.kind === 'amount' ? fee.token : null))?.tokenId ?? null}
          onChoose={setFeeToken}
          short={false}
        />
        {/* The new field says it; nothing is wrong before anybody could fill it. */}
        <Ahead preview={isFactoryAsked && factory === '' && !tried ? null : preview} />
      </RequestForm>
    </Page>
  );
}
