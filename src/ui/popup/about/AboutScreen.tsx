import { t } from '../../i18n.ts';
import { platform } from '../../platform.ts';
import { Icon, Mark } from '../../shared/Icon.tsx';
import { Page } from '../PageHead.tsx';

const promises = ['aboutShown', 'aboutHosts', 'aboutKeys', 'aboutTracking'] as const;

/** Describes the wallet, its version, and what it never does. */
export function AboutScreen() {
  const { version } = platform().runtime.getManifest();
  return (
    <Page title={t('aboutTitle')} back={['settings']}>
      <div class="about-mark">
        <Mark />
        <div>
          <strong>Countersign</strong>
          <span class="soft">{t('aboutVersion', { version })}</span>
        </div>
      </div>
      <p>{t('popupWelcomeMeaning')}</p>
      <ul class="card about-promises">
        {promises.map((key) => (
          <li key={key}>
            <Icon name="check" />
            <span>{t(key)}</span>
          </li>
        ))}
      </ul>
      <p class="soft">{t('aboutLicence')}</p>
    </Page>
  );
}
