const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Intervals of candles by their name on the wire, in ms. A candle opens at a multiple of its
 * interval since 1970, so that a week begins on a Thursday.
 */
export const candleIntervals = {
  '1min': MINUTE,
  '5min': 5 * MINUTE,
  '15min': 15 * MINUTE,
  '30min': 30 * MINUTE,
  '1hr': HOUR,
  '2hr': 2 * HOUR,
  '4hr': 4 * HOUR,
  '12hr': 12 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
} as const;

export type CandleInterval = keyof typeof candleIntervals;
