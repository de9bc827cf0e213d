import type { SubmissionRecord } from '../../journal/index.ts';
import { findOperation } from '../../operations/index.ts';
import type { Ports } from '../ports.ts';
import type { Config } from '../settings/config.ts';
import { endedHandedOver, isEndUnknown, isHandedOver, submittedRequest } from './submissionRecord.ts';

interface Rooms {
  readonly config: Pick<Config, 'read'>;
  readonly ports: Pick<Ports, 'notify'>;
}

/** Text of the notification for each final state of a submission. */
const endTexts: Partial<Record<SubmissionRecord['state'], string>> = {
  processed: 'statusProcessedMeaning',
  failed: 'statusFailedMeaning',
  expired: 'statusExpiredMeaning',
  cancelled: 'statusCancelledMeaning',
  refused: 'statusRefusedMeaning',
  abandoned: 'statusAbandonedMeaning',
};

/**
 * Tells the user how what was signed has ended. The same id twice replaces the notification, so an
 * end that another lifetime of the worker reports again shows once.
 */
export async function notifyEnd({ config, ports }: Rooms, record: SubmissionRecord): Promise<void> {
  const { id, operation, state, wire } = record;
  const { leavesExchange, tooLateFor } = (state === 'processed' && findOperation(operation)) || {};
  // Orders that had ended before they could be cancelled.
  const isIncomplete = (tooLateFor?.(submittedRequest(record)) ?? []).length > 0;
  const text = leavesExchange
    ? 'statusLeftMeaning'
    : isHandedOver(record)
      ? 'statusHandedOverMeaning'
      : isEndUnknown(record)
        ? 'statusExpiredUnknown'
        : endTexts[endedHandedOver(record) ? 'expired' : isIncomplete ? 'failed' : state];
  const { notifications, language } = (await config.read()).settings;
  // What was never signed has ended before the eyes of the user.
  if (text === undefined || !wire || !notifications) return;
  await ports.notify(id, `operation_${operation}`, text, language);
}
