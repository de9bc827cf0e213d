import { useState } from 'preact/hooks';
import type { AccountView, PermissionKind, SiteView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Site } from '../../shared/Site.tsx';
import { useAction } from '../../shared/useAction.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { ScreenLink } from '../MenuLink.tsx';
import { Page } from '../PageHead.tsx';

interface SiteScreenProps {
  readonly site: SiteView;
  readonly accounts: readonly AccountView[];
  readonly onChanged: () => Promise<void>;
}

interface GrantProps {
  readonly origin: string;
  readonly label: string;
  readonly grant: SiteView['grants'][number];
  readonly onChanged: () => Promise<void>;
}

function Grant({ origin, label, grant, onChanged }: GrantProps) {
  const remove = useAction(async (kind: PermissionKind) => {
    await call('revokeGrant', { origin, account: grant.account, kind });
    await onChanged();
  });
  return (
    <section class="card">
      <h2 class="card-title">
        <bdi>{visibleText(label, 60)}</bdi>
      </h2>
      <Problem error={remove.error} />
      <ul class="grants">
        {grant.kinds.map((kind) => (
          <li key={kind} class="grant">
            <span class="grant-text">
              <span>{t(`kind_${kind}`)}</span>
              <span class="soft">{t(`permission_${kind}`)}</span>
            </span>
            <Button tone="quiet" small onClick={() => remove.run(kind)}>
              {t('contactRemove')}
              <span class="visually-hidden">: {t(`kind_${kind}`)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One site: what it may see and ask for with each account, and how to take it back. */
export function SiteScreen({ site, accounts, onChanged }: SiteScreenProps) {
  const [asking, setAsking] = useState(false);
  const { origin } = site;
  const change = useAction(async (method: 'revokeSite' | 'blockSite' | 'unblockSite') => {
    await call(method, { origin });
    setAsking(false);
    await onChanged();
  });
  return (
    <Page title={<Site origin={origin} />} back={['sites']}>
      <Problem error={change.error} />
      {site.blocked && <Banner tone="danger">{t('siteBlockedMeaning')}</Banner>}
      {site.grants.length === 0 && <p class="empty">{t('siteNoGrants')}</p>}
      {site.grants.map((grant) => (
        <Grant
          key={grant.account}
          origin={origin}
          label={accounts.find(({ id }) => id === grant.account)?.label ?? grant.account}
          grant={grant}
          onChanged={onChanged}
        />
      ))}
      {site.grants.some(({ kinds }) => kinds.includes('orders')) && (
        <ul class="menu">
          <li>
            <ScreenLink to={['standing', origin]} />
          </li>
        </ul>
      )}
      {asking ? (
        <div class="choice-row">
          <Button tone="danger" busy={change.busy} onClick={() => change.run('revokeSite')}>
            {t('sitesRevokeSure')}
          </Button>
          <Button tone="quiet" disabled={change.busy} onClick={() => setAsking(false)}>
            {t('sitesKeep')}
          </Button>
        </div>
      ) : (
        <div class="choice-row">
          {site.grants.length > 0 && <Button onClick={() => setAsking(true)}>{t('sitesRevoke')}</Button>}
          {site.blocked ? (
            <Button busy={change.busy} onClick={() => change.run('unblockSite')}>
              {t('sitesUnblock')}
            </Button>
          ) : (
            <Button tone="danger-quiet" busy={change.busy} onClick={() => change.run('blockSite')}>
              {t('siteBlock')}
            </Button>
          )}
        </div>
      )}
      {!site.blocked && <p class="soft small-note">{t('siteBlockMeaning')}</p>}
    </Page>
  );
}
