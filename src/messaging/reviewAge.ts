/**
 * A review is good for a click this long, milliseconds; after that it is prepared again and shown
 * before anything is approved.
 */
export const REVIEW_HOLDS_MS = 60_000;

/**
 * Whether a review was made of facts that are too old, or by a clock that was set back since.
 * @param reviewedAt - Unix seconds; absent where no facts are reviewed, as in a connection.
 */
export const isStale = (reviewedAt: number | undefined, now: number): boolean =>
  reviewedAt !== undefined && (now < reviewedAt * 1000 || now - reviewedAt * 1000 > REVIEW_HOLDS_MS);
