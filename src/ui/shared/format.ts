import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Text, Value } from '../../operations/review.ts';
import { locale, messageParts, t } from '../i18n.ts';
import { visibleText } from './visibleText.ts';

/** Longest token symbol drawn, in characters; real ones have at most eleven. */
export const symbolLimit = 16;
/** Longest free text inside a sentence, in characters. */
const inlineLimit = 80;

/**
 * The exact decimal text of an amount in base units: no rounding, trailing zeros of the fraction left out.
 * @param volume - base units, decimal digits.
 * @param decimals - 0 to 255.
 * @returns `null` when `volume` is no such number, so that the caller shows it as it came.
 */
export function exactDecimal(volume: string, decimals: number): string | null {
  if (!/^\d+$/.test(volume) || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return null;
  const digits = volume.replace(/^0+(?=\d)/, '').padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Writes a plain decimal text with the separators of the language, digit for digit.
 * @param text - `123` or `123.456`; anything else comes back escaped.
 */
export function localDecimal(text: string, tag = locale()): string {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match?.[1] === undefined) return visibleText(text, 120);
  const format = new Intl.NumberFormat(tag, { numberingSystem: 'latn' });
  const whole = format.format(BigInt(match[1]));
  if (match[2] === undefined) return whole;
  const point = format.formatToParts(1.5).find((part) => part.type === 'decimal')?.value ?? '.';
  return `${whole}${point}${match[2]}`;
}

/** The pieces of a written number between which a line may break: after the separators of its whole part, never at the point. */
export function numberPieces(text: string, tag = locale()): string[] {
  const format = new Intl.NumberFormat(tag, { numberingSystem: 'latn' });
  const separator = format.formatToParts(1_234_567).find((part) => part.type === 'group')?.value;
  if (separator === undefined) return [text];
  return text.split(separator).map((piece, index, all) => (index < all.length - 1 ? piece + separator : piece));
}

/** An amount without its symbol, exact. */
export function amountNumber(volume: string, decimals: number, tag = locale()): string {
  const exact = exactDecimal(volume, decimals);
  return exact === null ? visibleText(volume, 120) : localDecimal(exact, tag);
}

export function percent(bips: number, tag = locale()): string {
  return new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2, numberingSystem: 'latn' }).format(
    bips / 10_000,
  );
}

export function millisecondsText(milliseconds: number, tag = locale()): string {
  return new Intl.NumberFormat(tag, { style: 'unit', unit: 'millisecond', numberingSystem: 'latn' }).format(
    Math.round(milliseconds),
  );
}

/** Date and time of day in the person's own zone. */
export function dateTime(milliseconds: number, tag = locale()): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', numberingSystem: 'latn' }).format(
    date,
  );
}

const spans: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How far `at` is from `now`, e.g. `in 30 days`, `2 minutes ago`. Units change at one and a half, so `36 hours` stays exact. */
export function distance(at: number, now: number, tag = locale()): string {
  const difference = at - now;
  const format = new Intl.RelativeTimeFormat(tag, {
    numeric: 'auto',
    numberingSystem: 'latn',
  } as Intl.RelativeTimeFormatOptions);
  for (const [unit, length] of spans) {
    const atLeast = unit === 'minute' ? 1 : 1.5;
    if (Math.abs(difference) >= length * atLeast) return format.format(Math.trunc(difference / length), unit);
  }
  return format.format(0, 'second');
}

/** By what was given. A screen asks again at each drawing for the few addresses that it shows. */
const checksummed = new Map<string, string>();

/** EIP-55 form of an address; anything else comes back unchanged. */
export function checksumAddress(address: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return address;
  const known = checksummed.get(address);
  if (known !== undefined) return known;
  const lower = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(lower));
  let result = '0x';
  for (const [index, digit] of [...lower].entries()) {
    const byte = hash[index >> 1] ?? 0;
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15;
    result += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  checksummed.set(address, result);
  return result;
}

/** `0x12345678…9abcdef0`: enough of both ends to compare by eye. Short texts stay whole. */
export function middleShortened(text: string, head = 8, tail = 6): string {
  const safe = visibleText(text, 200);
  return safe.length <= head + tail + 3 ? safe : `${safe.slice(0, head)}…${safe.slice(-tail)}`;
}

/** A typed value as plain text, for sentences, labels and titles. Exact, never rounded. */
export function valueText(value: Value): string {
  switch (value.kind) {
    case 'amount':
      return `${amountNumber(value.volume, value.token.decimals)} ${visibleText(value.token.symbol, symbolLimit)}`;
    case 'price':
      return t('valuePrice', {
        price: `${value.exact ? '' : '≈ '}${localDecimal(value.value)}`,
        quote: visibleText(value.quote, symbolLimit),
        base: visibleText(value.base, symbolLimit),
      });
    case 'time':
      return dateTime(value.seconds * 1000);
    case 'bips':
      return percent(value.bips);
    case 'address':
      return middleShortened(checksumAddress(value.address));
    case 'hex':
      return middleShortened(value.hex);
    case 'document':
    case 'text':
      return visibleText(value.text, inlineLimit);
    case 'integer':
      return String(value.value);
    case 'message':
      return t(value.key);
  }
}

/** A sentence with its values as plain text. */
export function sentenceText(text: Text): string {
  return messageParts(text.key)
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = findValue(text, part.name);
      return value === undefined ? '' : valueText(value);
    })
    .join('');
}

/** Placeholder names of chrome.i18n do not distinguish case; those of a `Text` are camelCase. */
export function findValue(text: Text, name: string): Value | undefined {
  return Object.entries(text.values ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}
