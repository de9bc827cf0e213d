import { finalStates } from '../protocol/states.ts';
import { JournalError } from './errors.ts';
import type { SubmissionState } from './lifecycle.ts';
import type { SubmissionRecord } from './record.ts';

/**
 * Each state and what may follow it. `signed` is followed by an end without `sent` when it goes to
 * its page alone or its account is removed, and by what a look-up finds; its bytes have not left,
 * so it may be abandoned. `sent` follows itself when the same bytes are sent again, `acknowledged`
 * when the relayer reports progress. `refused` is followed by an answer when the relayer turns out
 * to have taken what it refused; so are the ends that are its word alone, while the signature is
 * valid. `processed` follows itself when the relayer has carried out what a site got.
 */
export const transitions: Readonly<Record<SubmissionState, readonly SubmissionState[]>> = {
  approved: ['reserved'],
  reserved: ['signed', 'abandoned'],
  signed: ['sent', 'acknowledged', 'refused', 'abandoned', ...finalStates],
  sent: ['sent', 'acknowledged', 'refused', ...finalStates],
  acknowledged: ['acknowledged', ...finalStates],
  processed: ['processed'],
  failed: ['acknowledged', 'processed', 'expired', 'cancelled'],
  expired: ['acknowledged', 'processed', 'failed', 'cancelled'],
  cancelled: ['acknowledged', 'processed', 'failed', 'expired'],
  abandoned: [],
  refused: ['acknowledged', ...finalStates],
};

/**
 * The submission is settled as far as the relayer has said; a refusal holds unless the relayer
 * shows the request after all.
 */
export const isFinal = (state: SubmissionState): boolean =>
  state === 'refused' || state === 'abandoned' || finalStates.some((end) => end === state);

/** When a submission came into its state, or was told of progress in it; Unix milliseconds. */
export const lastChangeAt = ({ history }: Pick<SubmissionRecord, 'history'>): number => history.at(-1)?.at ?? 0;

/**
 * Copies of its bytes that the relayer may have. Records of version 1 count their sends in the
 * history alone.
 */
export const sendsOf = ({ sends, history }: SubmissionRecord): number =>
  sends ?? history.filter(({ state }) => state === 'sent').length;

/**
 * The relayer says that nothing comes of it, before its signature ends: it can still be carried
 * out.
 */
export function mayStillHappen({ state, validUntil, history }: SubmissionRecord): boolean {
  if (validUntil === undefined) return false;
  const isTooEarly = lastChangeAt({ history }) < validUntil * 1000;
  return state === 'refused' || (isTooEarly && (state === 'failed' || state === 'expired'));
}

/**
 * Cancelled before its signature ends. A relayer that kept it can still carry it out, but it is not
 * looked up by itself: nearly every cancellation is one that the user asked for.
 */
export const isCancelledEarly = ({ state, validUntil = 0, history }: SubmissionRecord): boolean =>
  state === 'cancelled' && lastChangeAt({ history }) < validUntil * 1000;

/**
 * A signature exists and no answer is known: the relayer may or may not have it. Such a submission
 * is looked up at the relayer before the same bytes are sent again, and is never signed anew.
 */
export function isUnknown(record: SubmissionRecord): boolean {
  return record.state === 'signed' || record.state === 'sent';
}

/**
 * An earlier send of the same bytes has no answer: whatever the relayer says to a repeat, the first
 * copy may have arrived.
 */
export const mayHaveArrivedBefore = (record: SubmissionRecord): boolean => sendsOf(record) > 1;

/**
 * Entries kept of one record's history; beyond it the latest repeats are merged, so that polling
 * cannot grow a record.
 */
const stepLimit = 64;

/**
 * Moves a record on.
 * @returns A new record; the given one is unchanged.
 * @throws {JournalError} `illegal-transition`; `already-signed` when it has a payload and another
 *   is offered.
 */
export function advance(
  record: SubmissionRecord,
  state: SubmissionState,
  at: number,
  changes: Partial<Pick<SubmissionRecord, 'hash' | 'publicKey' | 'wire' | 'ack' | 'error' | 'sends'>> = {},
  note?: string,
): SubmissionRecord {
  if (changes.wire && record.wire) {
    throw new JournalError('already-signed', `submission ${record.id} has its payload already`, {
      submissionId: record.id,
    });
  }
  if (!transitions[record.state].includes(state)) {
    throw new JournalError('illegal-transition', `submission ${record.id} cannot go from ${record.state} to ${state}`, {
      submissionId: record.id,
    });
  }
  const entry = { state, at, ...(note === undefined ? {} : { note }) };
  const repeated = record.history.length >= stepLimit && record.history.at(-1)?.state === state;
  const next: SubmissionRecord = {
    ...record,
    ...changes,
    state,
    history: [...(repeated ? record.history.slice(0, -1) : record.history), entry],
  };
  if (isFinal(state) && next.wire?.signature !== undefined) {
    const { signature: _replayable, ...wire } = next.wire;
    next.wire = wire;
  }
  return next;
}

/** Refused or given up: it says nothing of another signature of the same request. */
export const isDropped = ({ state }: Pick<SubmissionRecord, 'state'>): boolean =>
  state === 'refused' || state === 'abandoned';

/**
 * Of the submissions of one request, oldest first, the one that says what became of it: the last
 * one of which something came, else the last one that was not given up. One that was refused or
 * given up says nothing of a signature before it, which the relayer may have carried out.
 * @param hadNoEffect - Whether nothing came of one.
 */
export const outcomeAmong = (
  submissions: readonly SubmissionRecord[],
  hadNoEffect: (submission: SubmissionRecord) => boolean = isDropped,
): SubmissionRecord | undefined =>
  submissions.findLast((one) => !hadNoEffect(one)) ??
  submissions.findLast(({ state }) => state !== 'abandoned') ??
  submissions.at(-1);
