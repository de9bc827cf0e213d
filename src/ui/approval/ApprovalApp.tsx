import { t } from '../i18n.ts';

export function ApprovalApp() {
  return <h1>{t('extensionName')}</h1>;
}
