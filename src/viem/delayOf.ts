/**
 * A delay of `setTimeout`: longer ones than 24 days overflow and end at once.
 * @param ms - As the caller gave it, `Infinity` included.
 */
export const delayOf = (ms: number): number => Math.min(ms, 2 ** 31 - 1);
