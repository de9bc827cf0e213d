import type { PriceValue, TokenFacts } from './review.ts';

const SIGNIFICANT_DIGITS = 9;

/**
 * Quote units for one base unit as decimal text, cut (never rounded up) after nine significant
 * digits.
 * @param quote - Quote amount in base units, `>= 0n`.
 * @param base - Base amount in base units, `> 0n`.
 * @param paid - The user pays this price.
 */
export function price(
  quote: bigint,
  base: bigint,
  quoteToken: TokenFacts,
  baseToken: TokenFacts,
  paid = false,
): PriceValue {
  let numerator = quote * 10n ** BigInt(baseToken.decimals);
  const denominator = base * 10n ** BigInt(quoteToken.decimals);
  const whole = `${numerator / denominator}`;
  numerator %= denominator;
  let digits = `${whole}.`;
  let significant = whole === '0' ? 0 : whole.length;
  while (numerator > 0n && significant < SIGNIFICANT_DIGITS) {
    numerator *= 10n;
    const digit = numerator / denominator;
    numerator %= denominator;
    digits += digit;
    if (significant > 0 || digit > 0n) significant++;
  }
  return {
    kind: 'price',
    value: digits.replace(/\.$/, ''),
    exact: numerator === 0n,
    quote: quoteToken.symbol,
    base: baseToken.symbol,
    ...(paid ? { paid } : {}),
  };
}
