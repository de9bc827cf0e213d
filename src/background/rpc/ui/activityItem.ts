import { isCancelledEarly, isFinal, mayStillHappen, type SubmissionRecord, statusOf } from '../../../journal/index.ts';
import type { ActivityItem, HashToApprove } from '../../../messaging/views.ts';
import { findOperation, placesOrder } from '../../../operations/index.ts';
import type { Text } from '../../../operations/review.ts';
import { accountIdOf, type ConfigData } from '../../settings/storedConfig.ts';
import type { StandingApproval } from '../../sites/standingStore.ts';
import { refusalText } from '../../submissions/refusalText.ts';
import {
  awaitedHash,
  endedHandedOver,
  isEndUnknown,
  isHandedOver,
  isOfOldKey,
  saidOtherHash,
  submittedRequest,
} from '../../submissions/submissionRecord.ts';

/** A permanent cancellation that traded nothing: until when the order's signature is valid. */
function leftValidUntil({ operation, state, shown, history }: SubmissionRecord): number | undefined {
  const { signedUntil } = (shown ?? {}) as { readonly signedUntil?: number };
  const isLeft = state === 'failed' && findOperation(operation)?.endsSlot;
  return isLeft && signedUntil && (history.at(-1)?.at ?? 0) < signedUntil * 1000 ? signedUntil : undefined;
}

const untilText = (key: string, seconds: number): Text => ({ key, values: { until: { kind: 'time', seconds } } });

function problemOf(record: SubmissionRecord): Text | null {
  const status = statusOf(record);
  if (status === 'unknown') return null;
  if (status === 'abandoned') return { key: record.wire ? 'problem_discarded' : 'problem_abandoned' };
  const late = isFinal(record.state) && findOperation(record.operation)?.tooLateFor?.(submittedRequest(record));
  if (late && late.length > 0) {
    const text = late.map((hash) => `${hash.slice(0, 8)}…${hash.slice(-6)}`).join(', ');
    return { key: 'problem_tooLate', values: { orders: { kind: 'text', text } } };
  }
  // What failed after it was taken has no refusal: an error in its record is about an earlier
  // attempt to send it.
  const left = leftValidUntil(record);
  if (left !== undefined) return untilText('problem_onlyCancelled', left);
  if (status === 'refused' || mayStillHappen(record)) return refusalText(record);
  const { validUntil } = record;
  if (validUntil !== undefined) {
    if (isHandedOver(record)) return untilText('warning_validityLong', validUntil);
    // Also after a permanent cancellation: that it was settled is the relayer's word as well.
    if (isCancelledEarly(record)) return untilText('problem_endedUntil', validUntil);
  }
  return saidOtherHash(record) ? { key: 'problem_otherHash' } : null;
}

/** A standing approval in one phrase. */
function phraseOf({ terms, shown }: StandingApproval): Text {
  const total = { kind: 'amount', volume: terms.totalVolume, token: shown.sell } as const;
  return { key: 'standing_phrase', values: { total, symbol: { kind: 'text', text: shown.buy.symbol } } };
}

type Places = Pick<ConfigData, 'accounts' | 'claimed' | 'networks'>;

function hashToApprove(record: SubmissionRecord, { accounts, claimed, networks }: Places): HashToApprove | null {
  const hash = awaitedHash(record);
  const account = [...accounts, ...claimed].find(({ id }) => id === accountIdOf(record));
  const network = networks.find(({ id }) => id === record.networkId);
  if (hash === null || !account || !network || isOfOldKey(record, account)) return null;
  const { exchangeAddress: exchange, chainId } = network;
  return { hash, owner: account.owner, exchange, chainId, validUntil: record.validUntil ?? 0 };
}

/**
 * A journal record as a line of the activity list.
 * @param sentence - The one that was approved, while it is known.
 */
export function activityItem(
  record: SubmissionRecord,
  sentence: Text | undefined,
  places: Places,
  approvals: readonly StandingApproval[] = [],
): ActivityItem {
  const standing = approvals.find(({ id }) => id === record.rule);
  const operation = findOperation(record.operation);
  const status = statusOf(record);
  const isUnknownEnd = isEndUnknown(record);
  return {
    id: record.id,
    requestId: record.requestId,
    operation: record.operation,
    group: operation?.group ?? null,
    ...(operation?.picture ? { picture: operation.picture } : {}),
    ...(operation?.handsOver && (!isFinal(record.state) || isHandedOver(record)) ? { handsOver: true } : {}),
    ...(operation?.leavesExchange ? { leavesExchange: true } : {}),
    origin: record.origin,
    account: accountIdOf(record),
    sentence: sentence ?? { key: `operation_${record.operation}` },
    status: isUnknownEnd || endedHandedOver(record) ? 'expired' : status,
    ...(isUnknownEnd ? { isEndUnknown: true } : {}),
    hash: record.hash ?? null,
    approveHash: hashToApprove(record, places),
    storageId: record.slot?.storageId ?? null,
    createdAt: record.history[0]?.at ?? 0,
    problem: problemOf(record),
    ...(record.rule === undefined ? {} : { standing: standing ? phraseOf(standing) : { key: 'standing_forgotten' } }),
    ...(record.state === 'acknowledged' && record.hash && placesOrder(record.operation) ? { isOpenOrder: true } : {}),
  };
}
