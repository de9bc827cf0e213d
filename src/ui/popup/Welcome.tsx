import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Button } from '../shared/Button.tsx';
import { Mark } from '../shared/Icon.tsx';
import { ScreenLink } from './MenuLink.tsx';
import { openOnboarding } from './openPages.ts';

interface WelcomeProps {
  readonly started: boolean;
  /** Reads a configuration again that could not be read. */
  readonly onRetry?: (() => unknown) | undefined;
}

/**
 * First use: nothing here yet, or a setup that was left half-way, or a list of accounts that was
 * lost or cannot be read: then the keys are still to be had.
 */
export function Welcome({ started, onRetry }: WelcomeProps) {
  return (
    <main class="welcome">
      <Mark />
      <h1>{t(onRetry ? 'accountsTitle' : started ? 'popupUnfinished' : 'popupWelcome')}</h1>
      {onRetry ? (
        <Banner tone="danger" role="alert" onRetry={onRetry}>
          {t('popupUnread')}
        </Banner>
      ) : (
        <>
          <p class="soft">{t(started ? 'popupUnfinishedMeaning' : 'popupWelcomeMeaning')}</p>
          <Button tone="primary" wide onClick={() => void openOnboarding()}>
            {t(started ? 'popupContinue' : 'popupStart')}
          </Button>
        </>
      )}
      {started && (
        <nav class="menu">
          <ScreenLink to={['accounts']} />
          <ScreenLink to={['security']} />
        </nav>
      )}
    </main>
  );
}
