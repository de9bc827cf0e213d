import { scaledText } from './scaledText.ts';

/** Digits behind the point of the finest price that is read, and before that of the largest. */
export const PRICE_DIGITS = 40;
const WHOLE_DIGITS = 30;
const TOO_LARGE = 10n ** BigInt(WHOLE_DIGITS + PRICE_DIGITS);

/**
 * Reads a price of a relayer, in plain or scientific notation, scaled by 10^40.
 * @returns `undefined` for what is no price, or one that is too large or too fine to be one.
 */
export function scaledPrice(text: string): bigint | undefined {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d{0,30})(?:\.(\d{0,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(text) ?? [];
  const shift = PRICE_DIGITS + Number(exponent) - fraction.length;
  if (whole + fraction === '' || shift < 0) return undefined;
  const price = BigInt(whole + fraction) * 10n ** BigInt(shift);
  return price < TOO_LARGE ? price : undefined;
}

/** The same price as a plain decimal. */
export function plainPrice(text: string): string | undefined {
  const price = scaledPrice(text);
  return price === undefined ? undefined : scaledText(price, PRICE_DIGITS);
}
