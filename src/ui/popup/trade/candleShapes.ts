import type { CandleView } from '../../../messaging/views.ts';
import { scaledPrice } from '../../shared/numbers.ts';

/** Places on the time axis, the last of which is the running interval. */
export const CHART_PLACES = 48;
/** Units of the drawing; a place is ten wide. */
export const CHART_WIDTH = CHART_PLACES * 10;
export const CHART_HEIGHT = 200;
/** Candles below which a chart is sparse. */
const COURSE = 4;
/** Kept free above and below, so that strokes are not cut. */
const EDGE = 4;

interface CandleShape {
  readonly at: number;
  readonly rises: boolean;
  /** Middle, and the four heights, from the top. */
  readonly x: number;
  readonly high: number;
  readonly low: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Chart {
  readonly shapes: readonly CandleShape[];
  /** Height of the last price, from the top. */
  readonly last: number;
  /** Too few candles to be read as a course. */
  readonly isSparse: boolean;
  /** Texts of the relayer. */
  readonly open: string;
  readonly close: string;
  readonly high: string;
  readonly low: string;
}

/**
 * Candles on a time axis that ends now. Intervals without a trade stay empty.
 * @param candles - Oldest first.
 * @param length - Of a candle, ms.
 * @returns `null` when nothing was traded in the time that the chart shows.
 */
export function chartOf(candles: readonly CandleView[], length: number, now: number): Chart | null {
  const last = Math.floor(now / length);
  const place = ({ at }: CandleView) => CHART_PLACES - 1 - (last - Math.floor(at / length));
  const inside = candles.filter((candle) => place(candle) >= 0 && place(candle) < CHART_PLACES);
  const [first] = inside;
  const newest = inside.at(-1);
  if (first === undefined || newest === undefined) return null;
  const highest = inside.reduce((top, one) => (scaledPrice(one.high) > scaledPrice(top.high) ? one : top), first);
  const lowest = inside.reduce((top, one) => (scaledPrice(one.low) < scaledPrice(top.low) ? one : top), first);
  const [high, low] = [scaledPrice(highest.high), scaledPrice(lowest.low)];
  const room = CHART_HEIGHT - 2 * EDGE;
  const height = (price: string): number =>
    high === low ? CHART_HEIGHT / 2 : EDGE + room - Number(((scaledPrice(price) - low) * BigInt(room)) / (high - low));
  return {
    shapes: inside.map((candle) => {
      const [open, close] = [height(candle.open), height(candle.close)];
      return {
        at: candle.at,
        rises: scaledPrice(candle.close) >= scaledPrice(candle.open),
        x: place(candle) * 10 + 5,
        high: height(candle.high),
        low: height(candle.low),
        top: Math.min(open, close),
        bottom: Math.max(open, close),
      };
    }),
    last: height(newest.close),
    isSparse: inside.length < COURSE,
    open: first.open,
    close: newest.close,
    high: highest.high,
    low: lowest.low,
  };
}
