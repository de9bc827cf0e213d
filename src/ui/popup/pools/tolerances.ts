/** By how much less than now a pool may give or pay, in ten-thousandths. */
export const tolerances = [50, 100, 300] as const;
export type Tolerance = (typeof tolerances)[number];
