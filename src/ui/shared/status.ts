import type { ActivityItem, SubmissionStatus } from '../../messaging/views.ts';
import type { Tone } from './Banner.tsx';

export interface StatusText {
  readonly label: string;
  /** One sentence: what it means and what to do. */
  readonly meaning: string;
  readonly tone: Tone;
  /** Nothing more will change. */
  readonly final: boolean;
}

export const statusTexts: Readonly<Record<SubmissionStatus, StatusText>> = {
  approved: { label: 'statusApproved', meaning: 'statusApprovedMeaning', tone: 'neutral', final: false },
  reserved: { label: 'statusApproved', meaning: 'statusReservedMeaning', tone: 'neutral', final: false },
  unknown: { label: 'statusUnknown', meaning: 'statusUnknownMeaning', tone: 'notice', final: false },
  acknowledged: { label: 'statusAcknowledged', meaning: 'statusAcknowledgedMeaning', tone: 'good', final: false },
  processed: { label: 'statusProcessed', meaning: 'statusProcessedMeaning', tone: 'good', final: true },
  cancelled: { label: 'statusCancelled', meaning: 'statusCancelledMeaning', tone: 'neutral', final: true },
  expired: { label: 'statusExpired', meaning: 'statusExpiredMeaning', tone: 'neutral', final: true },
  failed: { label: 'statusFailed', meaning: 'statusFailedMeaning', tone: 'danger', final: true },
  refused: { label: 'statusRefused', meaning: 'statusRefusedMeaning', tone: 'danger', final: true },
  abandoned: { label: 'statusAbandoned', meaning: 'statusAbandonedMeaning', tone: 'neutral', final: true },
};

/**
 * State of what moves funds: that the exchange took it does not mean that anything has arrived, so
 * it is no good news yet. An order that was taken is in the book.
 * @param leavesExchange - It is paid out on layer 1, of which the wallet does not hear.
 */
export function moveStatus(status: SubmissionStatus, leavesExchange = false): StatusText {
  if (status === 'acknowledged') return { ...statusTexts.acknowledged, label: 'statusPending', tone: 'neutral' };
  if (status === 'processed' && leavesExchange)
    return { ...statusTexts.processed, label: 'statusLeft', meaning: 'statusLeftMeaning' };
  return statusTexts[status];
}

/** For the wallet it has ended; whoever has the signed copy can still use it. */
const handedOver: StatusText = {
  label: 'statusHandedOver',
  meaning: 'statusHandedOverMeaning',
  tone: 'neutral',
  final: true,
};

/** The wallet contract of the account has to approve it on layer 1. */
const awaitsApproval: StatusText = { ...statusTexts.unknown, meaning: 'problem_awaitsApproval' };

type Requested = Pick<
  ActivityItem,
  'group' | 'status' | 'handsOver' | 'leavesExchange' | 'approveHash' | 'isEndUnknown'
>;

/** The problem says all that the meaning of its state says, and until when. */
export const isMeaningSaid = (problem: ActivityItem['problem']): boolean => problem?.key === 'problem_refusedUntil';

export function requestStatus(item: Requested): StatusText {
  const { group, status, handsOver, leavesExchange, approveHash } = item;
  if (approveHash !== null) return awaitsApproval;
  if (item.isEndUnknown) return { ...statusTexts.expired, meaning: 'statusExpiredUnknown' };
  if (handsOver && status === 'processed') return handedOver;
  return group === 'orders' ? statusTexts[status] : moveStatus(status, leavesExchange);
}
