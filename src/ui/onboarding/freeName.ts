import type { AccountView } from '../../messaging/views.ts';
import { t } from '../i18n.ts';

/**
 * The suggested name of an account, with the first number that makes it differ from the names of
 * `others`.
 */
export function freeName(others: readonly AccountView[]): string {
  const base = t('nameSuggestion');
  let name = base;
  for (let number = 2; others.some(({ label }) => label === name); number += 1) name = `${base} ${number}`;
  return name;
}
