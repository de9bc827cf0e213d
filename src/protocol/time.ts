export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;
export const HOUR_MS = 1_000 * HOUR_SECONDS;
export const DAY_MS = 1_000 * DAY_SECONDS;

/** Milliseconds on both sides of 1970 that have a date. */
export const LAST_TIME = 8.64e15;
