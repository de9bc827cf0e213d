import { isFinal, isUnknown, mayStillHappen, type SubmissionRecord, statusOf } from '../../journal/index.ts';
import { changesKey, findOperation } from '../../operations/index.ts';
import { hashToApprove } from '../../operations/ownerApproval.ts';
import { EXPIRY_GRACE_SECONDS } from '../../operations/settlement.ts';
import type { SubmittedRequest } from '../../operations/submittedRequest.ts';
import { type RelayerErrorName, relayerErrorNamed } from '../../protocol/index.ts';
import { DAY_MS } from '../../protocol/time.ts';
import { isSameKey } from '../keys/stagedKeys.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';

/**
 * Prefix of the note that the relayer reported another hash than the signed one; later answers
 * never clear it.
 */
export const OTHER_HASH = 'the relayer reports the hash';

/** The relayer once named another hash for it than the one that was signed. */
export const saidOtherHash = ({ history }: SubmissionRecord): boolean =>
  history.some(({ note }) => note?.startsWith(OTHER_HASH));

/** Gives the name of the relayer's last refusal of this record, when the table has one. */
export const refusalNameOf = ({ error }: SubmissionRecord): RelayerErrorName | undefined =>
  relayerErrorNamed(Number(error?.code));

/**
 * Refusals that an invalid or used order id, nonce or storage id gets: another browser used the
 * slot.
 */
const ID_TAKEN: readonly (RelayerErrorName | undefined)[] = [
  'ORDER_ID_INVALID',
  'ORDER_EXISTS',
  'NONCE_INVALID',
  'STORAGE_ID_INVALID',
];

export const isIdTaken = (record: SubmissionRecord): boolean =>
  record.state === 'refused' && ID_TAKEN.includes(refusalNameOf(record));

/** Its signature goes to the page and nowhere else, and no answer is known to have been made. */
export const awaitsPage = ({ state, wire }: SubmissionRecord): boolean =>
  state === 'signed' && wire?.endpoint === 'none';

/**
 * The hash that the account's wallet contract has to approve on layer 1 before the relayer takes
 * the request; else `null`.
 */
export function awaitedHash(record: SubmissionRecord): string | null {
  if (!isUnknown(record) || refusalNameOf(record) !== 'SIGNATURE_WRONG') return null;
  return hashToApprove(submittedRequest(record).signedBody);
}

/** Signed with a key that the account had before; the account's key signs no key update. */
export const isOfOldKey = (
  { operation, publicKey }: SubmissionRecord,
  account: Pick<StoredAccount, 'publicKey'>,
): boolean => publicKey !== undefined && !changesKey(operation) && !isSameKey(publicKey, account.publicKey);

/**
 * Note of an order that its site had to its end, without a word of the relayer; what the relayer
 * says of its end follows.
 */
export const ENDED_HANDED_OVER = 'its site had it to its end';

const endNote = ({ history }: SubmissionRecord): string | undefined => history.at(-1)?.note;

export const endedHandedOver = (record: SubmissionRecord): boolean =>
  endNote(record)?.startsWith(ENDED_HANDED_OVER) === true;

/** Its time is over, and nobody has said how it ended. */
export const isEndUnknown = (record: SubmissionRecord): boolean =>
  endNote(record) === ENDED_HANDED_OVER || (isFinal(record.state) && statusOf(record) === 'unknown');

/** Its site has the signed order, and the relayer has not said that it was carried out. */
export const isHandedOver = (record: SubmissionRecord): boolean =>
  record.state === 'processed' &&
  findOperation(record.operation)?.handsOver === true &&
  (record.ack as { status?: unknown } | undefined)?.status !== 'processed' &&
  !endedHandedOver(record);

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

/**
 * Until when the relayer can still carry out what was signed, Unix seconds, as pages are told it
 * beside a status that can change; the relayer's word does not void a signature.
 */
export const validity = (record: SubmissionRecord): { readonly validUntil?: number } =>
  record.validUntil !== undefined && (isUnknown(record) || mayStillHappen(record))
    ? { validUntil: record.validUntil }
    : {};

/**
 * Unix milliseconds after which no relayer takes the bytes; of what has no end of its own, a day
 * after it was approved.
 */
export const lastTakenAt = ({ validUntil, history }: SubmissionRecord): number =>
  validUntil === undefined ? (history[0]?.at ?? 0) + DAY_MS : (validUntil + EXPIRY_GRACE_SECONDS) * 1000;

/** Past its end. @param now - Unix milliseconds by the clock that is behind. */
export const hasExpired = (record: SubmissionRecord, now: number): boolean => now > lastTakenAt(record);
