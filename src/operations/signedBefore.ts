import type { Asking, Draft } from './operation.ts';
import type { Review } from './review.ts';

/** Earlier signatures of the same request that the relayer refused. Its refusal does not make them void. */
export interface SignedBefore {
  readonly copies: number;
  /** Unix seconds until which the relayer can still carry one of them out; `null` when they have no end of their own. */
  readonly validUntil: number | null;
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own draft types, settled inside
type AnyReviewer = Pick<Asking<any, any, any>, 'review'>;
type AnyDraft = Draft<unknown, unknown>;

/** Puts the earlier signatures among the facts of a draft, so that digest, review and receipt cover them. */
export const withSignedBefore = <D extends AnyDraft>(draft: D, signedBefore: SignedBefore | undefined): D =>
  signedBefore === undefined ? draft : { ...draft, shown: { ...(draft.shown as object), signedBefore } };

/**
 * The review of a draft as it is shown, stored and compared: the operation's own, and what the wallet itself adds to any
 * operation.
 * @param now - Unix seconds.
 */
export function reviewOf(operation: AnyReviewer, draft: AnyDraft, now: number): Review {
  const review = operation.review(draft, now);
  const { signedBefore } = (draft.shown ?? {}) as { signedBefore?: SignedBefore };
  if (signedBefore === undefined) return review;
  const { copies, validUntil } = signedBefore;
  const until = validUntil === null ? {} : { until: { kind: 'time', seconds: validUntil } as const };
  const text = {
    key: validUntil === null ? 'warning_signedBeforeNoEnd' : 'warning_signedBefore',
    values: { copies: { kind: 'integer', value: copies } as const, ...until },
  };
  return { ...review, warnings: [{ rule: 'signed-before', severity: 'danger', text }, ...review.warnings] };
}
