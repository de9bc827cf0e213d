import { t } from '../i18n.ts';

export function PopupApp() {
  return <h1>{t('extensionName')}</h1>;
}
