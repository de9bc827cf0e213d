import { scaledText } from '../../../protocol/scaledText.ts';
import type { Token } from '../catalog.ts';
import type { Relayer } from '../relayer.ts';

/** The currency in which the operator lists prices. */
const CURRENCY = 'USD';

/**
 * The operator's prices: of the tokens that have one, in the only currency that they are listed in.
 */
export function tokenPrices({ catalog }: Relayer, currency: string): { token: Token; price: string }[] {
  if (currency.toUpperCase() !== CURRENCY) return [];
  return catalog.tokens
    .filter(({ enabled, priceMicroUsd }) => enabled && priceMicroUsd > 0n)
    .map((token) => ({ token, price: microText(token.priceMicroUsd) }));
}

/** Millionths as a decimal text. */
export const microText = (micro: bigint): string => scaledText(micro, 6);

/** The value of an amount at the operator's price, in millionths of a dollar. */
export const microValue = ({ decimals, priceMicroUsd }: Token, amount: bigint): bigint =>
  (amount * priceMicroUsd) / 10n ** BigInt(decimals);
