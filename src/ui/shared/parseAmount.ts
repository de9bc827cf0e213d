import { locale } from '../i18n.ts';
import { exactDecimal, writingOf } from './numbers.ts';

export type ParsedAmount =
  /** Base units, decimal text. */
  | { readonly volume: string }
  /** Message of the catalogs; `empty` is no mistake yet. */
  | { readonly problem: 'empty' | 'amountUnreadable' | 'amountAmbiguous' | 'amountTooFine' };

/**
 * Reads an amount as people type or paste it: digits and one decimal sign, either the point or the
 * language's own. Grouping signs are not guessed at: where the other sign could be one, as in a
 * German or French `1.000`, the text is refused, because people group as their neighbours do.
 * @param decimals - digits behind the decimal sign that the token has.
 */
export function parseAmount(text: string, decimals: number, tag = locale()): ParsedAmount {
  const given = latinDigits(text.trim(), tag);
  if (given === '') return { problem: 'empty' };
  const match = /^(\d*)([.,])?(\d*)$/.exec(given);
  const [, whole = '', sign = '', fraction = ''] = match ?? [];
  if (!match || (whole === '' && fraction === '')) return { problem: 'amountUnreadable' };
  if (sign !== '' && sign !== writingOf(tag).point) {
    if (fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) return { problem: 'amountAmbiguous' };
    if (sign !== '.') return { problem: 'amountUnreadable' };
  }
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) return { problem: 'amountTooFine' };
  const volume = `${whole}${significant.padEnd(decimals, '0')}`.replace(/^0+(?=\d)/, '');
  return { volume: volume === '' ? '0' : volume };
}

/**
 * Arabic keyboards write digits and a decimal sign of their own; amounts are shown with Latin
 * digits in every language.
 */
const latinDigits = (text: string, tag: string): string =>
  /^ar\b/.test(tag)
    ? text.replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - '٠'.charCodeAt(0))).replace('٫', '.')
    : text;

/** An amount in base units as it is typed: digits and the language's decimal sign, no grouping. */
export function typedAmount(volume: string, decimals: number, tag = locale()): string {
  const exact = exactDecimal(volume, decimals) ?? volume;
  return writingOf(tag).point === ',' ? exact.replace('.', ',') : exact;
}
