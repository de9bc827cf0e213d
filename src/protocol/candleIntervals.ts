import { DAY_MS, HOUR_MS } from './time.ts';

const MINUTE = 60_000;

/**
 * Intervals of candles by their name on the wire, in ms. A candle opens at a multiple of its
 * interval since 1970, so that a week begins on a Thursday.
 */
export const candleIntervals = {
  '1min': MINUTE,
  '5min': 5 * MINUTE,
  '15min': 15 * MINUTE,
  '30min': 30 * MINUTE,
  '1hr': HOUR_MS,
  '2hr': 2 * HOUR_MS,
  '4hr': 4 * HOUR_MS,
  '12hr': 12 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
} as const;

export type CandleInterval = keyof typeof candleIntervals;
