/** States of a submission in the journal, in the order in which they follow each other. */
export const submissionStates = [
  'approved',
  'reserved',
  'signed',
  'sent',
  'acknowledged',
  'processed',
  'failed',
  'expired',
  'cancelled',
  'abandoned',
  'refused',
] as const;

/**
 * Where a submission stands.
 *
 * - `approved`: the user said yes; `reserved`: its storage id is taken. Both are written in one
 *   step.
 * - `signed`: the exact bytes are on disk and may leave; `sent`: they left.
 * - `acknowledged`: the relayer took it; its end is still to be followed.
 * - `processed`, `failed`, `expired`, `cancelled`: the relayer's final word.
 * - `abandoned`: ended without any signature reaching the relayer; `refused`: the relayer said no
 *   to the only copy that was sent. Its word alone does not void the signature: until `validUntil`
 *   the relayer can still show that it has the request.
 */
export type SubmissionState = (typeof submissionStates)[number];

/**
 * Beginning of the note of a submission that was ended with its account: past its end, and nobody
 * has said how it ended.
 */
export const ENDED_WITH_ACCOUNT = 'its account was removed from the wallet after its end';
/**
 * The same of one whose account the relayer no longer knows, and of a cancellation whose order it
 * no longer knows: no list was seen that lacks it.
 */
export const ENDED_UNSEEN = 'its account or its order is unknown to the relayer after its end';
/** As earlier versions wrote it. */
const ACCOUNT_UNSEEN = 'its account is unknown to the relayer after its end';
const endsUnknown = [ENDED_WITH_ACCOUNT, ENDED_UNSEEN, ACCOUNT_UNSEEN];

/**
 * A state in the words of users, pages and the viem package: signed or sent without an answer is
 * `unknown`, and so is what was ended with its account.
 */
export type SubmissionStatus = Exclude<SubmissionState, 'signed' | 'sent'> | 'unknown';

interface Standing {
  readonly state: SubmissionState;
  readonly history?: readonly { readonly note?: string | undefined }[];
}

export const statusOf = ({ state, history }: Standing): SubmissionStatus =>
  state === 'signed' ||
  state === 'sent' ||
  (state === 'expired' && endsUnknown.some((note) => history?.at(-1)?.note?.startsWith(note)))
    ? 'unknown'
    : state;

/** Where a request stands that has no submission: `failed` could not be put to the user. */
export type UnsubmittedStatus = 'pending' | 'approved' | 'failed' | 'closed';

/** Every status that a page can be told, and whether it is the last one. */
export const statuses: Readonly<Record<SubmissionStatus | UnsubmittedStatus, { readonly final: boolean }>> = {
  pending: { final: false },
  approved: { final: false },
  reserved: { final: false },
  unknown: { final: false },
  acknowledged: { final: false },
  processed: { final: true },
  cancelled: { final: true },
  expired: { final: true },
  failed: { final: true },
  refused: { final: true },
  abandoned: { final: true },
  closed: { final: true },
};
