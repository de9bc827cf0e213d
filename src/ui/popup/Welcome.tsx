import { t } from '../i18n.ts';
import { Button } from '../shared/Button.tsx';
import { Mark } from '../shared/Icon.tsx';
import { MenuLink } from './MenuLink.tsx';
import { openOnboarding } from './openPages.ts';

/**
 * First use: nothing here yet, or a setup that was left half-way, or a list of accounts that was
 * lost: then the keys are still to be had.
 */
export function Welcome({ started }: { readonly started: boolean }) {
  return (
    <main class="welcome">
      <Mark />
      <h1>{t(started ? 'popupUnfinished' : 'popupWelcome')}</h1>
      <p class="soft">{t(started ? 'popupUnfinishedMeaning' : 'popupWelcomeMeaning')}</p>
      <Button tone="primary" wide onClick={() => void openOnboarding()}>
        {t(started ? 'popupContinue' : 'popupStart')}
      </Button>
      {started && (
        <nav class="menu">
          <MenuLink to={['accounts']}>{t('accountsTitle')}</MenuLink>
          <MenuLink to={['security']}>{t('securityTitle')}</MenuLink>
        </nav>
      )}
    </main>
  );
}
