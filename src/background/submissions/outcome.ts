import {
  isDropped,
  isFinal,
  type Journal,
  mayStillHappen,
  outcomeAmong,
  type SubmissionRecord,
} from '../../journal/index.ts';
import { findOperation } from '../../operations/index.ts';
import type { StoredApproval } from '../approvals/store/storedApproval.ts';
import { hasExpired, isHandedOver, submittedRequest } from './submissionRecord.ts';

/** @param number - From 1; the first attempt has the id of its approval. */
export const attemptId = (approvalId: string, number: number): string => `${approvalId}/${number}`;

/**
 * The approval of a submission; the second request of one approval request has a number behind its
 * id.
 */
export const approvalIdOf = ({ requestId }: Pick<SubmissionRecord, 'requestId'>): string =>
  requestId.split('/')[0] ?? requestId;

/** The same as `submissionsOf`, found in the whole journal, which leaves damaged records out. */
export const listedOf = async (
  journal: Pick<Journal, 'list'>,
  { id, origin }: Pick<StoredApproval, 'id' | 'origin'>,
): Promise<readonly SubmissionRecord[]> =>
  (await journal.list({ origin })).filter((record) => approvalIdOf(record) === id).toReversed();

/**
 * All submissions of an approval, signed or not; oldest first. Reads the whole journal only when
 * there are several.
 */
export async function submissionsOf(
  journal: Pick<Journal, 'byRequest' | 'list'>,
  { id, origin }: Pick<StoredApproval, 'id' | 'origin'>,
): Promise<readonly SubmissionRecord[]> {
  const latest = await journal.byRequest(origin, id);
  const hasMore = latest?.copy !== undefined || (await journal.byRequest(origin, attemptId(id, 1))) !== undefined;
  if (!hasMore) return latest ? [latest] : [];
  return listedOf(journal, { id, origin });
}

/**
 * Whether nothing came of a signature: it was refused or given up, or has ended without an effect.
 * An unknown outcome is none of these.
 */
export function hadNoEffect(record: SubmissionRecord): boolean {
  if (isDropped(record)) return true;
  const alternatives = findOperation(record.operation)?.alternatives;
  return isFinal(record.state) && alternatives?.hadNoEffect(submittedRequest(record)) === true;
}

/** Whether it was signed, and given up before it left. */
export const isGivenUp = (record: SubmissionRecord | undefined): boolean =>
  record?.state === 'abandoned' && record.wire !== undefined;

/**
 * Of the submissions of an approval, oldest first, the one that its pages are told of: in the
 * answer, in events and when they ask.
 */
export const outcomeOf = (submissions: readonly SubmissionRecord[]): SubmissionRecord | undefined =>
  outcomeAmong(submissions, hadNoEffect);

/**
 * Whether something that was signed for an approval is not final, or can still be carried out.
 * @param now - Unix milliseconds.
 */
export async function isUnresolved(
  journal: Pick<Journal, 'byRequest' | 'list'>,
  approval: StoredApproval,
  now: number,
): Promise<boolean> {
  // Nothing was signed.
  if (approval.submissionId === undefined && approval.signedBefore === undefined) return false;
  return (await submissionsOf(journal, approval)).some(
    (record) =>
      !isFinal(record.state) || ((mayStillHappen(record) || isHandedOver(record)) && !hasExpired(record, now)),
  );
}
