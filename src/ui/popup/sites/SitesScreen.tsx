import { useState } from 'preact/hooks';
import type { AccountView, SiteView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { kindTexts } from '../../shared/kinds.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Site } from '../../shared/Site.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { hrefTo } from '../router.ts';
import type { ScreenProps } from '../screens.ts';
import { StandingPanel } from '../standing/StandingPanel.tsx';

interface EntryProps {
  readonly site: SiteView;
  readonly accounts: readonly AccountView[];
  readonly onChanged: () => Promise<void>;
}

function Entry({ site, accounts, onChanged }: EntryProps) {
  const [asking, setAsking] = useState(false);
  const revoke = useAction(async () => {
    await call('revokeSite', { origin: site.origin });
    setAsking(false);
    await onChanged();
  });
  const unblock = useAction(async () => {
    await call('unblockSite', { origin: site.origin });
    await onChanged();
  });
  return (
    <li class="site-entry">
      <Site origin={site.origin} />
      {site.blocked && <span class="chip chip-danger">{t('sitesBlocked')}</span>}
      {site.grants.map((grant) => {
        const account = accounts.find((candidate) => candidate.id === grant.account);
        return (
          <p key={grant.account} class="soft">
            <bdi>{visibleText(account?.label ?? grant.account, 60)}</bdi>:{' '}
            {grant.kinds.map((kind) => t(kindTexts[kind].name)).join(', ')}
          </p>
        );
      })}
      <Problem error={revoke.error ?? unblock.error} />
      <div class="site-buttons">
        {!asking && site.grants.some(({ kinds }) => kinds.includes('orders')) && (
          <a class="button button-secondary button-small" href={hrefTo('standing', site.origin)}>
            <span>{t('standing_new')}</span>
          </a>
        )}
        {site.grants.length > 0 && !asking && (
          <Button small onClick={() => setAsking(true)}>
            {t('sitesRevoke')}
          </Button>
        )}
        {asking && (
          <>
            <Button small tone="danger" busy={revoke.busy} onClick={revoke.run}>
              {t('sitesRevokeSure')}
            </Button>
            <Button small tone="quiet" onClick={() => setAsking(false)}>
              {t('sitesKeep')}
            </Button>
          </>
        )}
        {site.blocked && (
          <Button small busy={unblock.busy} onClick={unblock.run}>
            {t('sitesUnblock')}
          </Button>
        )}
      </div>
    </li>
  );
}

export function SitesScreen({ wallet: { accounts } }: ScreenProps) {
  const sites = useQuery('listSites', {});
  return (
    <main class="tab">
      <h1 tabIndex={-1}>{t('sitesTitle')}</h1>
      <p class="soft">{t('sitesMeaning')}</p>
      <StandingPanel />
      <Problem error={sites.error} />
      {sites.data === undefined ? (
        <Skeleton lines={[10, 6, 10, 6]} />
      ) : sites.data.length === 0 ? (
        <p class="empty">{t('sitesEmpty')}</p>
      ) : (
        <ul class="sites">
          {sites.data.map((site) => (
            <Entry key={site.origin} site={site} accounts={accounts} onChanged={sites.reload} />
          ))}
        </ul>
      )}
    </main>
  );
}
