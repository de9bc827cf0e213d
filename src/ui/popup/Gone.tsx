import { t } from '../i18n.ts';
import { Page } from './PageHead.tsx';

/** In the place of a screen whose account was removed meanwhile. */
export function Gone() {
  return (
    <Page title={t('accountsTitle')} back={['accounts']}>
      <p class="empty">{t('error_notFound')}</p>
    </Page>
  );
}
