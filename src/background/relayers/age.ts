/**
 * Milliseconds since `at`; without end for what has no time, or one that a clock gave which was set
 * back since.
 */
export const ageAt = (now: number, at: number | null | undefined): number =>
  at === null || at === undefined || at > now ? Number.POSITIVE_INFINITY : now - at;
