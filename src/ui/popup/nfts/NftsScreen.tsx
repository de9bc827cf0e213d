import { useRef } from 'preact/hooks';
import { hostPattern } from '../../../messaging/hostPattern.ts';
import type { NftView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { platform } from '../../platform.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Freshness } from '../../shared/Freshness.tsx';
import { NftCollection } from '../../shared/NftCollection.tsx';
import { NftPicture } from '../../shared/NftPicture.tsx';
import { localDecimal } from '../../shared/numbers.ts';
import { Problem } from '../../shared/Problem.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { StoredState } from '../../shared/StoredState.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useNftOnce } from '../../shared/useNftOnce.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { useSeen } from '../../shared/useSeen.ts';
import { useStored } from '../../shared/useStored.ts';
import { Page } from '../PageHead.tsx';
import { hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { MintNft } from './MintNft.tsx';
import { NftDetail } from './NftDetail.tsx';
import { NftMove } from './NftMove.tsx';
import { nftName } from './nftName.ts';
import { SellNft } from './SellNft.tsx';

function Card({ nft }: { readonly nft: NftView }) {
  const card = useRef<HTMLLIElement>(null);
  const metadata = useNftOnce(useSeen(nft.nftId, card) ? nft : undefined);
  return (
    <li ref={card}>
      <a class="nft-card" href={hrefTo('nfts', String(nft.slot))}>
        <NftPicture nftId={nft.nftId} metadata={metadata} />
        <span class="nft-card-text">
          <bdi class={metadata?.name == null ? 'nft-name mono' : 'nft-name'}>{nftName(nft, metadata?.name)}</bdi>
          <span class="soft">{t('nftCount', { count: localDecimal(nft.total) })}</span>
          <NftCollection name={metadata?.collection} contract={nft.tokenAddress} />
        </span>
      </a>
    </li>
  );
}

function Gallery({ nfts, gateway }: { readonly nfts: readonly NftView[]; readonly gateway: string }) {
  const first = nfts[0];
  const asked = useQuery('getNftMetadata', first === undefined ? null : { nftId: first.nftId });
  const allow = useAction(async () => {
    await platform().permissions.request({ origins: [hostPattern(gateway) ?? gateway] });
    await asked.reload();
  });
  if (nfts.length === 0) return <p class="empty">{t('nftsEmpty')}</p>;
  const isWithheld = gateway !== '' && asked.data?.status === 'withheld';
  return (
    <>
      {/* What was read once is read again when the browser allows it. */}
      <ul key={isWithheld} class="nft-grid">
        {nfts.map((nft) => (
          <Card key={nft.slot} nft={nft} />
        ))}
      </ul>
      {asked.data?.status === 'off' && (
        <Banner
          tone="neutral"
          action={
            <a class="button button-secondary button-small" href={hrefTo('settings')}>
              {t('tabSettings')}
            </a>
          }
        >
          {t('nftsNoGateway')}
        </Banner>
      )}
      {isWithheld && (
        <Banner
          tone="neutral"
          action={
            <Button small busy={allow.busy} onClick={allow.run}>
              {t('attentionAction_allow')}
            </Button>
          }
        >
          {t('networkDenied', { host: new URL(gateway).host })}
          <Problem error={allow.error} />
        </Banner>
      )}
    </>
  );
}

/**
 * The account's NFTs, one of them, or a form: `nfts`, `nfts/mint`, `nfts/32768`,
 * `nfts/32768/transfer`.
 */
export function NftsScreen({ wallet, rest }: ScreenProps) {
  const account = selectedAccount(wallet);
  const nfts = useStored('getNfts', account.id);
  const [slot, action] = rest;
  if (slot === 'mint') return <MintNft account={account} />;
  const chosen = slot === undefined ? undefined : nfts.data?.find((nft) => String(nft.slot) === slot);
  if (chosen !== undefined && (action === 'transfer' || action === 'withdraw'))
    return <NftMove kind={action} nft={chosen} account={account} wallet={wallet} />;
  if (chosen !== undefined && action === 'sell') return <SellNft nft={chosen} account={account} />;
  if (chosen !== undefined) return <NftDetail nft={chosen} account={account} onChanged={nfts.refresh} />;
  return (
    <Page
      title={t('tabNfts')}
      {...(slot === undefined ? {} : { back: ['nfts'] })}
      action={<Freshness at={nfts.at} refreshing={nfts.refreshing} onRefresh={nfts.refresh} />}
    >
      {slot === undefined && (
        <a class="button button-secondary button-small nft-mint" href={hrefTo('nfts', 'mint')}>
          {t('act_mintNft')}
        </a>
      )}
      <StoredState query={nfts} skeleton={<SkeletonList rows={4} picture />}>
        {(data) =>
          slot === undefined ? (
            <Gallery nfts={data} gateway={wallet.settings.ipfsGateway} />
          ) : (
            <p class="empty">{t('nftGone')}</p>
          )
        }
      </StoredState>
    </Page>
  );
}
