import type { CandleInterval } from '../protocol/candleIntervals.ts';

/** Lengths of a candle that the wallet's own chart offers. */
export const chartIntervals = ['15min', '1hr', '4hr', '1d'] as const satisfies readonly CandleInterval[];

export type ChartInterval = (typeof chartIntervals)[number];
