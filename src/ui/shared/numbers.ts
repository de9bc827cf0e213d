import { legalCurrencies } from '../../messaging/legalCurrencies.ts';
import type { PriceValue, Value } from '../../operations/review.ts';
import { locale } from '../i18n.ts';
import { plainSigns } from './plainSigns.ts';
import { visibleText } from './visibleText.ts';

/** Significant digits of an amount; all of them are a tap away. */
const AMOUNT_DIGITS = 8;
/** Significant digits of a price. */
const PRICE_DIGITS = 5;
/** Zeros behind the point beyond which a price turned over is as unreadable as it was. */
const MOST_ZEROS = 12;
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * The exact decimal text of an amount in base units: no rounding, trailing zeros of the fraction
 * left out.
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

interface Writing {
  readonly format: Intl.NumberFormat;
  readonly point: string;
  /** Separator of a whole part, where the language has one. */
  readonly group: string | undefined;
}
/** By language: making one takes longer than writing a hundred numbers. */
const writings = new Map<string, Writing>();

/** How a language writes numbers. */
export function writingOf(tag: string): Writing {
  const known = writings.get(tag);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(tag, { numberingSystem: 'latn' });
  const parts = format.formatToParts(1_234_567.5);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value;
  const writing = { format, point: partOf('decimal') ?? '.', group: partOf('group') };
  writings.set(tag, writing);
  return writing;
}

/**
 * Writes a plain decimal text with the separators of the language, digit for digit.
 * @param text - `123` or `123.456`; anything else comes back escaped.
 */
export function localDecimal(text: string, tag = locale()): string {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match?.[1] === undefined) return visibleText(text, 120);
  const { format, point } = writingOf(tag);
  const whole = plainSigns(format.format(BigInt(match[1])));
  return match[2] === undefined ? whole : `${whole}${point}${match[2]}`;
}

/**
 * The pieces of a written number between which a line may break: after the separators of its whole
 * part, never at the point.
 */
export function numberPieces(text: string, tag = locale()): string[] {
  const { group } = writingOf(tag);
  if (group === undefined) return [text];
  const sign = plainSigns(group);
  return text.split(sign).map((piece, index, all) => (index < all.length - 1 ? piece + sign : piece));
}

/** An amount without its symbol, exact. */
export function amountNumber(volume: string, decimals: number, tag = locale()): string {
  const exact = exactDecimal(volume, decimals);
  return exact === null ? visibleText(volume, 120) : localDecimal(exact, tag);
}

/** A number as it is read, without its symbol. */
export interface ShownNumber {
  /** In the language of the user, with `≈` before it when digits are left out. */
  readonly text: string;
  readonly isExact: boolean;
}

/**
 * Leaves out the digits after the first significant ones. Digits before the point are never left
 * out.
 * @param exact - Plain decimal text without zeros at its end.
 * @param up - Rounds away from zero, for what is paid; toward zero otherwise.
 */
export function significant(exact: string, digits: number, up: boolean): { text: string; isExact: boolean } {
  const [whole = '', fraction = ''] = exact.split('.');
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const kept = whole === '0' ? zeros + digits : Math.max(digits - whole.length, 0);
  if (fraction.length <= kept) return { text: exact, isExact: true };
  const rounded = BigInt(whole + fraction.slice(0, kept)) + (up ? 1n : 0n);
  return { text: exactDecimal(rounded.toString(), kept) ?? exact, isExact: false };
}

const approximately = (text: string, isExact: boolean) => `${isExact ? '' : '≈ '}${text}`;

const written = (text: string, isExact: boolean, tag: string): ShownNumber => ({
  text: approximately(localDecimal(text, tag), isExact),
  isExact,
});

/**
 * A number with more zeros behind its point than anybody counts, as a power of ten:
 * `1.2345 × 10⁻³⁹`. Any other comes back as it is written.
 */
function inPowers(exact: string, tag: string): string {
  const [, zeros = '', digits = ''] = /^0\.(0+)([1-9]\d*)$/.exec(exact) ?? [];
  if (zeros.length <= MOST_ZEROS) return localDecimal(exact, tag);
  const [first = '', ...others] = digits;
  const power = [...String(zeros.length + 1)].map((digit) => RAISED[Number(digit)]).join('');
  return `${localDecimal(others.length === 0 ? first : `${first}.${others.join('')}`, tag)} × 10⁻${power}`;
}

type AmountValue = Pick<Extract<Value, { kind: 'amount' }>, 'volume' | 'token'> & { readonly least?: boolean };
type Price = Omit<PriceValue, 'kind'>;

/**
 * An amount with at most eight significant digits, never rounded in the user's favour: what arrives
 * or is held (`least`) is rounded down, what leaves, is paid or is needed is rounded up.
 * @param value - `digits`: fewer, for a list that nobody signs.
 */
export function shownAmount(
  { volume, token, least, digits = AMOUNT_DIGITS }: AmountValue & { readonly digits?: number },
  tag = locale(),
): ShownNumber {
  const exact = exactDecimal(volume, token.decimals);
  if (exact === null) return { text: visibleText(volume, 120), isExact: true };
  const { text, isExact } = significant(exact, digits, least !== true);
  return written(text, isExact, tag);
}

/**
 * An amount that came or left, without its symbol; the sign stands at the number: `≈ −1.2345679`.
 */
export const signedAmount = (amount: Pick<AmountValue, 'volume' | 'token'>, comes: boolean, tag = locale()): string =>
  shownAmount({ ...amount, least: comes }, tag).text.replace(/^(?:≈ )?/, `$&${comes ? '+' : '−'}`);

/**
 * Below a thousandth nobody compares prices by eye: these are turned over, unless they have to keep
 * their direction.
 */
export function isTurned({ value, keep }: Price): boolean {
  const zeros = /^0\.(0+)[1-9]/.exec(value)?.[1]?.length ?? 0;
  return keep !== true && zeros >= 3 && zeros <= MOST_ZEROS;
}

/**
 * A price with five significant digits, never rounded in the user's favour: one that is received is
 * rounded down, one that is paid (`paid`) up; turned over, `base` units for one of `quote`, the
 * other way round.
 * @param turned - Base units for one quote unit; `quote` and `base` of the result are exchanged
 *   then.
 */
export function shownPrice(
  price: Price,
  turned = isTurned(price),
  tag = locale(),
): ShownNumber & { readonly quote: string; readonly base: string } {
  const { value, exact, paid = false, quote, base } = price;
  const match = /^(\d+)(?:\.(\d+))?$/.exec(value);
  const scale = match?.[2]?.length ?? 0;
  const digits = BigInt(match === null ? 0 : `${match[1]}${match[2] ?? ''}`);
  if (digits === 0n) return { text: approximately(localDecimal(value, tag), exact), isExact: exact, quote, base };
  // A cut price lies between its digits and the next ones.
  const bound = paid && !exact ? digits + 1n : digits;
  if (!turned) {
    const { text, isExact } = significant(exactDecimal(bound.toString(), scale) ?? value, PRICE_DIGITS, paid);
    return { text: approximately(inPowers(text, tag), isExact && exact), isExact: isExact && exact, quote, base };
  }
  // One part in 10^places is far below the fifth digit, and tells whether anything was left out.
  const places = scale + PRICE_DIGITS;
  const numerator = 10n ** BigInt(scale + places);
  const isWhole = numerator % bound === 0n;
  const quotient = numerator / bound + (paid || isWhole ? 0n : 1n);
  const { text, isExact } = significant(exactDecimal(quotient.toString(), places) ?? value, PRICE_DIGITS, !paid);
  return { ...written(text, isExact && isWhole && exact, tag), quote: base, base: quote };
}

/** Digits behind the point of a price or a value, which are integers in parts of 10^-30. */
export const PRICE_DECIMALS = 30;

/** A plain decimal text as an integer with `PRICE_DECIMALS` digits behind the decimal sign. */
export function scaledPrice(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0'));
}
/** Significant digits of a value that has none at the places of its currency. */
const SMALL_DIGITS = 2;

/** Places behind the point in which a legal currency is written. */
const placesOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/**
 * Formats a value for display: of a legal currency with the usual places, of a token with five
 * significant digits.
 * @param value - In parts of 10^-30 of the currency.
 * @param up - Rounds away from zero, for what leaves.
 */
export function shownValue(value: bigint, currency: string, up: boolean, tag = locale()): string {
  const places = legalCurrencies.includes(currency) ? placesOf(currency) : null;
  const exact = exactDecimal(value.toString(), PRICE_DECIMALS) ?? '0';
  const part = 10n ** BigInt(PRICE_DECIMALS - (places ?? 0));
  const isSmall = value < part && value * 10n ** 6n > part;
  if (places === null || isSmall)
    return localDecimal(significant(exact, places === null ? PRICE_DIGITS : SMALL_DIGITS, up).text, tag);
  const [whole = '', fraction = ''] = (
    exactDecimal(((value + (up ? part - 1n : 0n)) / part).toString(), places) ?? '0'
  ).split('.');
  return localDecimal(places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`, tag);
}
