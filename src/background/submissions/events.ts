import { type Journal, type SubmissionRecord, statusOf } from '../../journal/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { reported, reportedAs } from '../../report/report.ts';
import type { Approvals } from '../approvals/store/approvals.ts';
import { isSettled } from '../approvals/store/storedApproval.ts';
import type { Ports } from '../ports.ts';
import type { Config } from '../settings/config.ts';
import type { Grants } from '../sites/grants.ts';
import { notifyEnd } from './notifyEnd.ts';
import { approvalIdOf, outcomeOf, submissionsOf } from './outcome.ts';
import { isHandedOver, validity } from './submissionRecord.ts';

interface Rooms {
  readonly approvals: Pick<Approvals, 'get'>;
  readonly config: Pick<Config, 'read'>;
  readonly grants: Pick<Grants, 'of'>;
  readonly journal: Pick<Journal, 'byRequest' | 'list'>;
  readonly ports: Pick<Ports, 'notify' | 'toAllPages'>;
}

/**
 * Tells the user how a submission stands, and the pages of the asking origin how their request
 * does, of which it can be one of several: each status once in a worker's lifetime, none before the
 * request is answered, because a page does not know its number until then, and none to a site that
 * sees no account.
 */
export function createStatusEvents(rooms: Rooms) {
  const told = new Map<string, string>();
  const isNew = (key: string, status: string): boolean => {
    if (told.get(key) === status) return false;
    told.set(key, status);
    return true;
  };

  return async (record: SubmissionRecord): Promise<void> => {
    const isOwn = record.origin === OWN_ORIGIN;
    const requestId = approvalIdOf(record);
    const approval = isOwn ? undefined : await rooms.approvals.get(requestId);
    // What is being carried out is told with its answer; what was put back to the user is not
    // answered yet.
    if (approval && !isSettled(approval)) return;
    // A notification is a courtesy: what the browser says about it stops nothing.
    // What its site has is carried out under the same status.
    if (isNew(record.id, `${statusOf(record)} ${isHandedOver(record)}`))
      await notifyEnd(rooms, record).catch(reported('submissions: notify'));
    if (isOwn || !(await rooms.grants.of(record.origin))?.grants.length) return;
    const among = await submissionsOf(rooms.journal, { id: requestId, origin: record.origin }).catch(
      reportedAs('submissions: outcome', []),
    );
    const outcome = outcomeOf(among.map((one) => (one.id === record.id ? record : one))) ?? record;
    const status = statusOf(outcome);
    if (!isNew(requestId, `${status} ${outcome.id}`)) return;
    await rooms.ports.toAllPages(record.origin, {
      event: 'message',
      data: {
        type: 'relayer_status',
        data: { requestId, hash: outcome.hash ?? null, status, ...validity(outcome) },
      },
    });
  };
}
