import type { Approvable, Draft } from './operation.ts';
import type { Review, Text, Warning } from './review.ts';

/** Why an approved request is put to the user again. */
export interface AskedAgain {
  /**
   * Earlier signatures of the same request, or of the same move, that the relayer refused or never
   * answered. Its refusal does not make them void.
   */
  readonly signedBefore?:
    | {
        /** 0 stands for records that are lost: what was signed is unknown. */
        readonly copies: number;
        /**
         * Unix seconds until which the relayer can carry one of them out, also in the past; `null`
         * when they have no end of their own.
         */
        readonly validUntil: number | null;
      }
    | undefined;
  /** The next storage id, as the wallet knows it and as the relayer names it, far ahead. */
  readonly idJump?: { readonly known: number; readonly named: number } | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own draft types, settled inside
type AnyReviewer = Pick<Approvable<any, any, any>, 'review'>;
type AnyDraft = Draft<unknown, unknown>;

/** Puts the reasons among the facts of a draft, so that digest, review and receipt cover them. */
export const askedAgain = <D extends AnyDraft>(draft: D, { signedBefore, idJump }: AskedAgain): D =>
  signedBefore === undefined && idJump === undefined
    ? draft
    : {
        ...draft,
        shown: {
          ...(draft.shown as object),
          ...(signedBefore === undefined ? {} : { signedBefore }),
          ...(idJump === undefined ? {} : { idJump }),
        },
      };

/**
 * Says that what was signed before can still be, or may have been, carried out.
 * @param now - Unix seconds.
 */
export function signedBeforeText({ copies, validUntil }: NonNullable<AskedAgain['signedBefore']>, now: number): Text {
  if (copies === 0) return { key: 'warning_recordsLost' };
  const signed = { copies: { kind: 'integer', value: copies } } as const;
  if (validUntil === null) return { key: 'warning_signedBeforeNoEnd', values: signed };
  return {
    key: validUntil < now ? 'warning_signedBeforePast' : 'warning_signedBefore',
    values: { ...signed, until: { kind: 'time', seconds: validUntil } },
  };
}

function* warningsOfAskedAgain({ signedBefore, idJump }: AskedAgain, now: number): Generator<Warning> {
  if (signedBefore) yield { rule: 'signed-before', severity: 'danger', text: signedBeforeText(signedBefore, now) };
  if (idJump) {
    const integer = (value: number) => ({ kind: 'integer', value }) as const;
    const values = { known: integer(idJump.known), named: integer(idJump.named) };
    yield { rule: 'storage-id-jump', severity: 'danger', password: true, text: { key: 'warning_idJump', values } };
  }
}

/**
 * The review of a draft as it is shown, stored and compared: the operation's own, and what the
 * wallet itself adds to any operation.
 * @param now - Unix seconds.
 */
export function reviewOf(operation: AnyReviewer, draft: AnyDraft, now: number): Review {
  const review = operation.review(draft, now);
  const added = [...warningsOfAskedAgain((draft.shown ?? {}) as AskedAgain, now)];
  return added.length === 0 ? review : { ...review, warnings: [...added, ...review.warnings] };
}
