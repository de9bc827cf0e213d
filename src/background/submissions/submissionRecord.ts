import { GRACE_MS, isUnknown, type SubmissionRecord } from '../../journal/index.ts';
import { hashToApprove } from '../../operations/ownerApproval.ts';
import type { SubmittedRequest } from '../../operations/submittedRequest.ts';
import { type RelayerErrorName, relayerErrorNamed } from '../../protocol/index.ts';

/** Prefix of the note that the relayer reported another hash than the signed one; later answers never clear it. */
export const OTHER_HASH = 'the relayer reports the hash';

/** Age in milliseconds after which a submission without a final answer may be put aside. */
const UNANSWERED_AGE_MS = 86_400_000;

/** The relayer once named another hash for it than the one that was signed. */
export const saidOtherHash = ({ history }: SubmissionRecord): boolean =>
  history.some(({ note }) => note?.startsWith(OTHER_HASH));

/** Gives the name of the relayer's last refusal of this record, when the table has one. */
export const refusalNameOf = ({ error }: SubmissionRecord): RelayerErrorName | undefined =>
  relayerErrorNamed(Number(error?.code));

/** The hash that the account's wallet contract has to approve on layer 1 before the relayer takes the request; else `null`. */
export function awaitedHash(record: SubmissionRecord): string | null {
  if (!isUnknown(record) || refusalNameOf(record) !== 'SIGNATURE_WRONG') return null;
  return hashToApprove(submittedRequest(record).signedBody);
}

/** A journal record in the words of the operations. */
export function submittedRequest({ accountId, hash, draft, wire, ack }: SubmissionRecord): SubmittedRequest {
  const object = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>;
  return {
    accountId,
    hash: hash ?? null,
    body: object(draft),
    signedBody: object(wire?.bodyText === undefined ? undefined : JSON.parse(wire.bodyText)),
    query: object(wire?.query),
    ack: object(ack),
  };
}

/** Past its end. @param now - Unix milliseconds by the clock that is behind. */
export const isOver = ({ validUntil, history }: SubmissionRecord, now: number) =>
  now > (validUntil === undefined ? (history[0]?.at ?? now) + UNANSWERED_AGE_MS : validUntil * 1000 + GRACE_MS);
