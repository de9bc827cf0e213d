import type { AccountView, NftView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { CopyButton } from '../../shared/CopyButton.tsx';
import { middleShortened } from '../../shared/format.ts';
import { isSome } from '../../shared/free.ts';
import { NftCollection } from '../../shared/NftCollection.tsx';
import { NftPicture } from '../../shared/NftPicture.tsx';
import { localDecimal } from '../../shared/numbers.ts';
import { Problem } from '../../shared/Problem.tsx';
import { HexRow, Row } from '../../shared/Row.tsx';
import { Address, Hex } from '../../shared/Shortened.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { useAsk } from '../move/useAsk.ts';
import { Page } from '../PageHead.tsx';
import { hrefTo } from '../router.ts';
import { nftName } from './nftName.ts';

interface NftDetailProps {
  readonly nft: NftView;
  readonly account: AccountView;
  readonly onChanged: () => void;
}

const deploymentTexts: Readonly<Record<string, string>> = {
  NOT_DEPLOYED: 'nftNotDeployed',
  DEPLOYING: 'nftDeploying',
  DEPLOYED: 'nftDeployed',
  DEPLOY_FAILED: 'nftDeployFailed',
};

/** One NFT: the picture with where it comes from, what can be done, and what identifies it. */
export function NftDetail({ nft, account, onChanged }: NftDetailProps) {
  const metadata = useQuery('getNftMetadata', { nftId: nft.nftId });
  const deploy = useAsk(onChanged);
  const { data } = metadata;
  const toDeploy = nft.deployment === 'NOT_DEPLOYED';
  return (
    <Page title={<bdi>{nftName(nft, data?.name)}</bdi>} back={['nfts']}>
      <div class="nft-large">
        <NftPicture nftId={nft.nftId} metadata={data} />
        <NftCollection name={data?.collection} contract={nft.tokenAddress} />
      </div>
      <div class="actions">
        <a class="button button-primary" href={hrefTo('nfts', String(nft.slot), 'transfer')}>
          {t('sendTitle')}
        </a>
        <a class="button button-secondary" href={hrefTo('nfts', String(nft.slot), 'sell')}>
          {t('nftSell')}
        </a>
        <a class="button button-secondary" href={hrefTo('nfts', String(nft.slot), 'withdraw')}>
          {t('operation_withdraw')}
        </a>
        {toDeploy && (
          <Button
            busy={deploy.busy}
            onClick={() =>
              deploy.run({
                operation: 'deployNft',
                account: account.id,
                intent: { nftData: nft.nftData, tokenAddress: nft.tokenAddress },
              })
            }
          >
            {t('nftDeploy')}
          </Button>
        )}
      </div>
      <Problem error={deploy.error} />
      {toDeploy && <Banner tone="neutral">{t('nftDeployMeaning')}</Banner>}
      {nft.deployment === 'DEPLOY_FAILED' && <Banner tone="neutral">{t('nftDeployFailedMeaning')}</Banner>}
      <dl class="rows card">
        <Row label="nftAmount">
          {localDecimal(nft.total)}
          {isSome(nft.locked) && <span class="row-note">{t('homeLocked', { amount: localDecimal(nft.locked) })}</span>}
          {isSome(nft.pendingDeposit) && (
            <span class="row-note">{t('homePendingDeposit', { amount: localDecimal(nft.pendingDeposit) })}</span>
          )}
          {isSome(nft.pendingWithdraw) && (
            <span class="row-note">{t('homePendingWithdraw', { amount: localDecimal(nft.pendingWithdraw) })}</span>
          )}
        </Row>
        <Row label="networkContract">
          <Address address={nft.tokenAddress} />
          {nft.deployment !== null && (
            <span class="row-note">{t(deploymentTexts[nft.deployment] ?? 'statusNotKnown')}</span>
          )}
        </Row>
        {nft.minter !== null && nft.minter !== '' && (
          <Row label="nftMinter">
            <Address address={nft.minter} />
          </Row>
        )}
        {nft.cid !== null && (
          <Row label="nftIpfs">
            <span class="shortened">
              <span class="mono" title={nft.cid}>
                {middleShortened(nft.cid, 6, 6)}
              </span>
              <CopyButton text={nft.cid} what={t('nftIpfs')} />
            </span>
          </Row>
        )}
        <HexRow label="nftId" hex={nft.nftId} />
        <Row label="nftData">
          <Hex hex={nft.nftData} />
          <span class="row-note">{t('nftSlot', { slot: nft.slot })}</span>
        </Row>
      </dl>
      {/* Below all that can be clicked: it comes late. */}
      {data?.description != null && data.description !== '' && (
        <div class="nft-description">
          {data.description
            .split(/\r?\n/)
            .filter((line) => line.trim() !== '')
            .map((line, index) => (
              <p key={index}>
                <bdi>{visibleText(line, 1_000)}</bdi>
              </p>
            ))}
        </div>
      )}
      {data?.host != null && data.status === 'ready' && (
        <p class="soft small-note">{t('nftFromGateway', { host: data.host })}</p>
      )}
      {data?.status === 'unavailable' && <p class="soft small-note">{t('nftUnavailable')}</p>}
    </Page>
  );
}
