import type { Market } from '../catalog.ts';
import { priceText } from '../orders/describeOrder.ts';

/** 1 with the digits of a stored price. */
export const PRICE_SCALE = 10n ** 36n;

/**
 * A stored price, quote for base in base units scaled by 10^36, as a decimal text of whole tokens.
 */
export const candlePriceText = (market: Market, scaled: bigint): string => priceText(market, PRICE_SCALE, scaled);
