import { checksummed } from '../../ethereum/address.ts';
import { SYMBOL_LIMIT } from '../../messaging/symbolLimit.ts';
import type { Text, TokenFacts, Value } from '../../operations/review.ts';
import { DAY_MS } from '../../protocol/time.ts';
import { locale, messageParts, t } from '../i18n.ts';
import { shownAmount, shownPrice } from './numbers.ts';
import { plainSigns } from './plainSigns.ts';
import { visibleText } from './visibleText.ts';

/** Longest free text inside a sentence, in characters. */
const inlineLimit = 80;

/** A number with its unit. */
function measured(value: number, options: Intl.NumberFormatOptions, tag: string): string {
  return plainSigns(new Intl.NumberFormat(tag, { ...options, numberingSystem: 'latn' }).format(value));
}

export const percent = (bips: number, tag = locale()): string =>
  measured(bips / 10_000, { style: 'percent', maximumFractionDigits: 2 }, tag);

export const unitText = (value: number, unit: string, tag = locale()): string =>
  measured(Math.round(value), { style: 'unit', unit }, tag);

/** Date and time of day in the user's own zone. */
export function dateTime(milliseconds: number, tag = locale()): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', numberingSystem: 'latn' });
  return plainSigns(format.format(date));
}

const spans: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/**
 * How far `at` is from `now`, e.g. `in 30 days`, `2 minutes ago`. Units change at one and a
 * half, minutes at one. A day is 24 hours, so it is counted and never called tomorrow.
 */
export function distance(at: number, now: number, tag = locale()): string {
  const difference = at - now;
  const shown = (count: number, unit: Intl.RelativeTimeFormatUnit, numeric: 'always' | 'auto') => {
    const options = { numeric, numberingSystem: 'latn' } as Intl.RelativeTimeFormatOptions;
    return plainSigns(new Intl.RelativeTimeFormat(tag, options).format(count, unit));
  };
  for (const [unit, length] of spans) {
    const atLeast = unit === 'minute' ? 1 : 1.5;
    if (Math.abs(difference) >= length * atLeast) return shown(Math.trunc(difference / length), unit, 'always');
  }
  return shown(0, 'second', 'auto');
}

/** By what was given. A screen asks again at each drawing for the few addresses that it shows. */
const known = new Map<string, string>();

/** EIP-55 form of an address; anything else comes back unchanged. */
export function checksumAddress(address: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return address;
  const before = known.get(address);
  if (before !== undefined) return before;
  const result = checksummed(address);
  known.set(address, result);
  return result;
}

/** `0x123456…abcdef`: enough of both ends to compare by eye. Short texts stay whole. */
export function middleShortened(text: string, head = 8, tail = 6): string {
  const safe = visibleText(text, 200);
  return safe.length <= head + tail + 3 ? safe : `${safe.slice(0, head)}…${safe.slice(-tail)}`;
}

/** What a token is called in a text. */
export const symbolText = ({ symbol }: Pick<TokenFacts, 'symbol'>): string => visibleText(symbol, SYMBOL_LIMIT);

/** An amount with its symbol, as `shownAmount` writes it. */
export const amountText = (amount: Parameters<typeof shownAmount>[0]): string =>
  `${shownAmount(amount).text} ${symbolText(amount.token)}`;

/** A typed value as plain text, for sentences, labels and titles. */
export function valueText(value: Value): string {
  switch (value.kind) {
    case 'amount':
      return amountText(value);
    case 'price': {
      const { text, quote, base } = shownPrice(value);
      return t('valuePrice', {
        price: text,
        quote: visibleText(quote, SYMBOL_LIMIT),
        base: visibleText(base, SYMBOL_LIMIT),
      });
    }
    case 'time':
      return dateTime(value.seconds * 1000);
    case 'bips':
      return percent(value.bips);
    case 'address':
      return middleShortened(checksumAddress(value.address));
    case 'hex':
      return middleShortened(value.hex);
    case 'document':
      return visibleText(value.text, Number.POSITIVE_INFINITY);
    case 'text':
      return visibleText(value.text, inlineLimit);
    case 'integer':
      return String(value.value);
    case 'message':
      return t(value.key);
  }
}

/**
 * A sentence with its values as plain text.
 * @param kept - What is done to each value, such as `isolated` where the text is drawn.
 */
export function sentenceText(text: Text, kept = (value: string): string => value): string {
  return messageParts(text.key)
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = findValue(text, part.name);
      return value === undefined ? '' : kept(valueText(value));
    })
    .join('');
}

/** Placeholder names of chrome.i18n do not distinguish case; those of a `Text` are camelCase. */
export function findValue(text: Text, name: string): Value | undefined {
  return Object.entries(text.values ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}
