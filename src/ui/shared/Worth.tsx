import { SYMBOL_LIMIT } from '../../messaging/symbolLimit.ts';
import { t } from '../i18n.ts';
import { shownValue } from './numbers.ts';
import { visibleText } from './visibleText.ts';

interface WorthProps {
  /** In parts of 10^-30 of the currency. */
  readonly value: bigint;
  readonly currency: string;
  /** Of something that leaves, which is rounded up. */
  readonly leaves?: boolean;
}

/** Longest text that stands in one line in the size of the total, in characters. */
const oneLine = 18;

/** Shows a value at the exchange's own prices: for information, never a part of what is signed. */
export function Worth({ value, currency, leaves = false }: WorthProps) {
  const text = `${shownValue(value, currency, leaves)} ${visibleText(currency, SYMBOL_LIMIT)}`;
  return (
    <span class={`worth ${text.length > oneLine ? 'worth-long' : ''}`}>
      <bdi aria-hidden="true">≈ {text}</bdi>
      <span class="visually-hidden">{t('valueAbout', { value: text })}</span>
    </span>
  );
}
