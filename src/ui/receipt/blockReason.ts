import type { BlockReason } from '../../messaging/views.ts';
import { hasMessage, t } from '../i18n.ts';

/** Why no block proves a receipt, in a sentence; of a fault its name. */
export function blockReason(reason: BlockReason): string {
  const key = `receiptBlock_${reason}`;
  return hasMessage(key) ? t(key) : t('receiptBlock_fault', { reason });
}
