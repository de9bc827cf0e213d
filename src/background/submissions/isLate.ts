/** A click counts for this long, milliseconds: what is not signed by then goes back to the user. */
const SIGN_WITHIN_MS = 120_000;

/**
 * Whether a decision is too old to be signed, or a signature too old to leave for the first time. A
 * clock that was set back since says nothing about its age, so it counts as too old then as well.
 * @param decidedAt - Unix milliseconds.
 */
export const isLate = (decidedAt: number | undefined, now: number): boolean =>
  decidedAt === undefined || now < decidedAt || now - decidedAt > SIGN_WITHIN_MS;
