import { t } from '../i18n.ts';

export function OnboardingApp() {
  return <h1>{t('extensionName')}</h1>;
}
