import { type SubmissionRecord, statusOf } from '../../journal/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { reported } from '../../report/report.ts';
import type { Approvals } from '../approvals/store/approvals.ts';
import { isSettled } from '../approvals/store/storedApproval.ts';
import type { Ports } from '../ports.ts';
import type { Config } from '../settings/config.ts';
import type { Grants } from '../sites/grants.ts';
import { notifyEnd } from './notifyEnd.ts';
import { validity } from './submissionRecord.ts';

interface Rooms {
  readonly approvals: Pick<Approvals, 'get'>;
  readonly config: Pick<Config, 'read'>;
  readonly grants: Pick<Grants, 'of'>;
  readonly ports: Pick<Ports, 'notify' | 'toAllPages'>;
}

/**
 * Tells the user, and the pages of the asking origin, how a request stands: each status once in a
 * worker's lifetime, and none before the request is answered, because a page does not know its
 * number until then.
 */
export function createStatusEvents(rooms: Rooms) {
  const told = new Map<string, string>();

  return async (record: SubmissionRecord): Promise<void> => {
    const isOwn = record.origin === OWN_ORIGIN;
    const approval = isOwn ? undefined : await rooms.approvals.get(approvalIdOf(record));
    // What is being carried out is told with its answer; what was put back to the user is not
    // answered yet.
    if (approval && !isSettled(approval)) return;
    const status = statusOf(record);
    if (told.get(record.id) === status) return;
    told.set(record.id, status);
    // A notification is a courtesy: what the browser says about it stops nothing.
    await notifyEnd(rooms, record).catch(reported('submissions: notify'));
    if (isOwn || (await rooms.grants.of(record.origin))?.blocked) return;
    await rooms.ports.toAllPages(record.origin, {
      event: 'message',
      data: {
        type: 'relayer_status',
        data: { requestId: approvalIdOf(record), hash: record.hash ?? null, status, ...validity(record) },
      },
    });
  };
}

/**
 * The approval of a submission; the second request of one approval request has a number behind its
 * id.
 */
export const approvalIdOf = ({ requestId }: Pick<SubmissionRecord, 'requestId'>): string =>
  requestId.split('/')[0] ?? requestId;
