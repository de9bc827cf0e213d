import { lastChangeAt, mayStillHappen, type SubmissionRecord, statusOf } from '../../../journal/index.ts';
import type { ActivityItem } from '../../../messaging/views.ts';
import { findOperation, placesOrder } from '../../../operations/index.ts';
import type { Text } from '../../../operations/review.ts';
import { accountIdOf, type StoredAccount } from '../../settings/storedConfig.ts';
import type { StandingApproval } from '../../sites/standingStore.ts';
import { refusalText } from '../../submissions/refusalText.ts';
import { awaitedHash, saidOtherHash } from '../../submissions/submissionRecord.ts';

function problemOf(record: SubmissionRecord): Text | null {
  const status = statusOf(record);
  if (awaitedHash(record) !== null) return { key: 'problem_awaitsApproval' };
  if (status === 'unknown') return record.error ? { key: 'problem_unknownOutcome' } : null;
  if (status === 'abandoned') return { key: record.wire ? 'problem_discarded' : 'problem_abandoned' };
  // What failed after it was taken has no refusal: an error in its record is about an earlier
  // attempt to send it.
  if (status === 'refused' || mayStillHappen(record)) return refusalText(record);
  return saidOtherHash(record) ? { key: 'problem_otherHash' } : null;
}

/** A standing approval in one phrase. */
function phraseOf({ terms, shown }: StandingApproval): Text {
  const total = { kind: 'amount', volume: terms.totalVolume, token: shown.sell } as const;
  return { key: 'standing_phrase', values: { total, symbol: { kind: 'text', text: shown.buy.symbol } } };
}

/**
 * A journal record as a line of the activity list.
 * @param sentence - The one that was approved, while it is known.
 */
export function activityItem(
  record: SubmissionRecord,
  sentence: Text | undefined,
  accounts: readonly StoredAccount[],
  approvals: readonly StandingApproval[] = [],
): ActivityItem {
  const standing = approvals.find(({ id }) => id === record.rule);
  const account = accounts.find(
    ({ networkId, accountId }) => networkId === record.networkId && accountId === record.accountId,
  );
  const operation = findOperation(record.operation);
  return {
    id: record.id,
    requestId: record.requestId,
    operation: record.operation,
    group: operation?.group ?? null,
    ...(operation?.picture ? { picture: operation.picture } : {}),
    ...(operation?.handsOver ? { handsOver: true } : {}),
    origin: record.origin,
    account: account?.id ?? accountIdOf(record),
    sentence: sentence ?? { key: `operation_${record.operation}` },
    status: statusOf(record),
    hash: record.hash ?? null,
    approveHash: awaitedHash(record),
    storageId: record.slot?.storageId ?? null,
    createdAt: record.history[0]?.at ?? 0,
    updatedAt: lastChangeAt(record),
    problem: problemOf(record),
    ...(record.rule === undefined ? {} : { standing: standing ? phraseOf(standing) : { key: 'standing_forgotten' } }),
    ...(record.state === 'acknowledged' && record.hash && placesOrder(record.operation) ? { isOpenOrder: true } : {}),
  };
}
