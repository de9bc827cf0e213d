import { t } from '../i18n.ts';
import { CopyButton } from './CopyButton.tsx';

/**
 * A hash that a wallet contract has to approve on layer 1: whole, because it is compared and copied
 * into another wallet.
 */
export function ApproveHash({ hash }: { readonly hash: string }) {
  return (
    <p class="approve-hash">
      <span class="soft">{t('activityApproveHash')}</span>
      <span class="mono">{hash}</span>
      <CopyButton text={hash} what={t('activityApproveHash')} />
    </p>
  );
}
