/** A longer delay of `setTimeout` overflows and ends at once; this one is 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** @param ms - As the caller gave it, `Infinity` included. */
export const delayOf = (ms: number): number => Math.min(ms, LONGEST_MS);
