import { useState } from 'preact/hooks';
import type { NetworkView, PinnedNetwork } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t, tCount } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { HexRow, Row } from '../../shared/Row.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { MenuLink } from '../MenuLink.tsx';
import { openOnboarding } from '../openPages.ts';
import { Page } from '../PageHead.tsx';
import { RenameForm } from '../RenameForm.tsx';
import { goTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { TokenChanges } from './TokenChanges.tsx';

function Network({ network, wallet, onWallet }: ScreenProps & { readonly network: NetworkView }) {
  const [compared, setCompared] = useState<PinnedNetwork | null>(null);
  const changes = useQuery('getTokenChanges', { networkId: network.id }).data ?? [];
  const users = wallet.accounts.filter(({ networkId }) => networkId === network.id).length;
  const check = useAction(async () => setCompared(await call('checkNetwork', { networkId: network.id })));
  const [asking, setAsking] = useState(false);
  const remove = useAction(async () => {
    const next = await call('removeNetwork', { networkId: network.id });
    onWallet(next);
    goTo('networks');
  });
  return (
    <Page title={<bdi>{visibleText(network.name, 60)}</bdi>} back={['networks']}>
      <RenameForm
        label={t('nameField')}
        name={network.name}
        save={async (name) => onWallet(await call('renameNetwork', { networkId: network.id, name }))}
      />
      <dl class="rows card">
        <Row label="networkRelayer">
          <bdi>{visibleText(network.baseUrl, 120)}</bdi>
        </Row>
        <Row label="networkChain">{network.chainId}</Row>
        <HexRow label="networkContract" hex={network.exchangeAddress} />
      </dl>
      <p class="soft">{t('networkPinned')}</p>
      {changes.length > 0 && (
        <Banner
          tone="notice"
          title={tCount('tokenChangesBanner', changes.length)}
          action={
            <Button small onClick={() => goTo('networks', network.id, 'tokens')}>
              {t('tokenChangesLook')}
            </Button>
          }
        >
          {t('tokenChangesBannerMeaning')}
        </Banner>
      )}
      <Problem error={check.error} />
      {compared !== null &&
        (compared.same ? (
          <Banner tone="good" role="status">
            {t('networkSame')}
          </Banner>
        ) : (
          <Banner tone="danger" role="alert" title={t('networkDiffers')}>
            {t('networkDiffersMeaning', {
              contract: compared.reported.exchangeAddress,
              chain: compared.reported.chainId,
            })}
          </Banner>
        ))}
      <Button icon="refresh" busy={check.busy} onClick={check.run}>
        {t('networkCheck')}
      </Button>
      <Problem error={remove.error} />
      {users > 0 ? (
        <p class="soft">{tCount('networkUsed', users)}</p>
      ) : asking ? (
        <>
          <p role="status">{t('networkRemoveMeaning')}</p>
          <div class="choice-row">
            <Button tone="danger" busy={remove.busy} onClick={remove.run}>
              {t('accountRemoveSure')}
            </Button>
            <Button tone="quiet" disabled={remove.busy} onClick={() => setAsking(false)}>
              {t('sitesKeep')}
            </Button>
          </div>
        </>
      ) : (
        <Button tone="danger-quiet" onClick={() => setAsking(true)}>
          {t('networkRemove')}
        </Button>
      )}
    </Page>
  );
}

/** The exchanges that the wallet knows; one of them by its id in the address. */
export function NetworksScreen(props: ScreenProps) {
  const { wallet, rest } = props;
  const asked = wallet.networks.find(({ id }) => id === rest[0]);
  if (asked !== undefined && rest[1] === 'tokens') return <TokenChanges network={asked} />;
  if (asked !== undefined) return <Network {...props} network={asked} />;
  return (
    <Page title={t('settingsNetworks')} back={['settings']}>
      <p class="soft">{t('networksMeaning')}</p>
      <ul class="menu">
        {wallet.networks.map((network) => (
          <li key={network.id}>
            <MenuLink to={['networks', network.id]}>
              <bdi class="menu-name">{visibleText(network.name, 60)}</bdi>
              <bdi class="menu-note">{visibleText(network.baseUrl, 120)}</bdi>
            </MenuLink>
          </li>
        ))}
      </ul>
      <Button icon="plus" wide onClick={() => void openOnboarding()}>
        {t('networkAdd')}
      </Button>
    </Page>
  );
}
