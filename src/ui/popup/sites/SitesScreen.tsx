import type { AccountView, SiteView } from '../../../messaging/views.ts';
import { t, tCount } from '../../i18n.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Site } from '../../shared/Site.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { MenuLink } from '../MenuLink.tsx';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { StandingPanel } from '../standing/StandingPanel.tsx';
import { SiteScreen } from './SiteScreen.tsx';

interface EntryProps {
  readonly site: SiteView;
  readonly accounts: readonly AccountView[];
}

function Entry({ site, accounts }: EntryProps) {
  const kinds = new Set(site.grants.flatMap((grant) => grant.kinds));
  const [first, ...others] = site.grants;
  const label = accounts.find(({ id }) => id === first?.account)?.label ?? first?.account ?? '';
  return (
    <li>
      <MenuLink to={['sites', site.origin]}>
        <Site origin={site.origin} />
        <span class="menu-note">
          {site.blocked && <span class="chip chip-danger">{t('sitesBlocked')}</span>}
          {first !== undefined && (
            <span>
              <bdi>{visibleText(label, 40)}</bdi>
              {others.length > 0 && ` ${t('sitesMoreAccounts', { count: others.length })}`}
              {' · '}
              {tCount('sitesPermissions', kinds.size)}
            </span>
          )}
        </span>
      </MenuLink>
    </li>
  );
}

/**
 * Every site that may see or ask for something, or is blocked; one of them by its origin in the
 * address.
 */
export function SitesScreen(props: ScreenProps) {
  const sites = useQuery('listSites', {});
  const standing = useQuery('listStanding', {});
  const [origin] = props.rest;
  const asked = origin === undefined ? undefined : sites.data?.find((site) => site.origin === origin);
  if (asked !== undefined) return <SiteScreen site={asked} accounts={props.wallet.accounts} onChanged={sites.reload} />;
  return (
    <Page title={t('tabSites')} back={['more']}>
      <p class="soft">{t('sitesMeaning')}</p>
      <StandingPanel query={standing} accounts={props.wallet.accounts} />
      <Problem error={sites.error} />
      {sites.data === undefined || (standing.data === undefined && standing.error === null) ? (
        <Skeleton lines={[10, 6, 10, 6]} />
      ) : sites.data.length === 0 ? (
        <p class="empty">{t('sitesEmpty')}</p>
      ) : (
        <ul class="menu">
          {sites.data.map((site) => (
            <Entry key={site.origin} site={site} accounts={props.wallet.accounts} />
          ))}
        </ul>
      )}
    </Page>
  );
}
