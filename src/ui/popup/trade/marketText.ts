import type { MarketView } from '../../../messaging/views.ts';
import { BIPS } from '../../../protocol/limits.ts';
import { symbolText } from '../../shared/format.ts';
import {
  exactDecimal,
  localDecimal,
  PRICE_DECIMALS,
  scaledPrice,
  shownAmount,
  significant,
} from '../../shared/numbers.ts';
import type { Side } from './orderTerms.ts';

/** Digits of a price or a size that nobody signs. */
const LISTED_DIGITS = 5;

/** Ten-thousandths by which a price rose; negative when it fell. */
export function changeBips(open: string, close: string): number {
  const [from, to] = [scaledPrice(open), scaledPrice(close)];
  return Number(((to - from) * BIPS) / from);
}

/**
 * Prices of a relayer as they stand under each other: with as many digits behind the decimal sign
 * as the longest of them.
 * @param side - Of the order that would be placed at them: what a buyer pays is rounded up.
 */
export function priceTexts(values: readonly string[], side: Side): string[] {
  const texts = values.map(
    (value) =>
      significant(exactDecimal(String(scaledPrice(value)), PRICE_DECIMALS) ?? '', LISTED_DIGITS, side === 'BUY').text,
  );
  const places = Math.max(0, ...texts.map((text) => (text.split('.')[1] ?? '').length));
  return texts.map((text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return localDecimal(places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`);
  });
}

export const priceText = (value: string, side: Side = 'SELL'): string => priceTexts([value], side)[0] ?? '';

export const marketName = ({ base, quote }: MarketView): string => [base, quote].map(symbolText).join(' · ');

/** An amount of the base token in a list, rounded down; nobody compares more digits by eye. */
export const listedSize = (volume: string, { base }: MarketView): string =>
  shownAmount({ volume, token: base, least: true, digits: LISTED_DIGITS }).text.replace('≈ ', '');
