import { t } from '../i18n.ts';
import { PageHead } from './PageHead.tsx';

/** In the place of a screen whose account was removed meanwhile. */
export function Gone() {
  return (
    <main class="tab">
      <PageHead title={t('accountsTitle')} back={['accounts']} />
      <p class="empty">{t('error_notFound')}</p>
    </main>
  );
}
