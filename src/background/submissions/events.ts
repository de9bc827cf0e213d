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

/** Statuses that are remembered, the latest: a busy site keeps a worker alive for days. */
const MOST_TOLD = 1_000;

/**
 * Tells the user how a submission stands, and the pages of the asking origin how their request
 * does, of which it can be one of several: each status once in a worker's lifetime, none before the
 * request is answered, because a page does not know its number until then, and none to a site that
 * sees no account.
 * @param alone - Runs one after another: what the journal said first is told first.
 */
export function createStatusEvents(rooms: Rooms, alone: (work: () => Promise<void>) => Promise<void>) {
  const told = new Map<string, string>();
  const isNew = (key: string, status: string): boolean => {
    if (told.get(key) === status) return false;
    told.delete(key);
    told.set(key, status);
    const [oldest = ''] = told.keys();
    if (told.size > MOST_TOLD) told.delete(oldest);
    return true;
  };

  async function tell(record: SubmissionRecord, isAgain: boolean): Promise<void> {
    const { origin } = record;
    const requestId = approvalIdOf(record);
    const approval = await rooms.approvals.get(requestId).catch(reportedAs('submissions: approval', undefined));
    // What is being carried out is told with its answer; what was put back to the user is not
    // answered yet. Only a notification tells of the wallet's own request, unless it is asked again
    // because it never left.
    if (approval && !isSettled(approval) && (origin !== OWN_ORIGIN || record.state === 'abandoned')) return;
    // Who tells may know less than the journal by now.
    const among = await submissionsOf(rooms.journal, { id: requestId, origin }).catch(
      reportedAs('submissions: outcome', []),
    );
    const latest = among.find(({ id }) => id === record.id) ?? record;
    // A notification is a courtesy: nothing waits for what the browser says about it.
    // What its site has is carried out under the same status.
    if (!isAgain && isNew(latest.id, `${statusOf(latest)} ${isHandedOver(latest)}`))
      notifyEnd(rooms, latest).catch(reported('submissions: notify'));
    if (origin === OWN_ORIGIN || !(await rooms.grants.of(origin))?.grants.length) return;
    const outcome = outcomeOf(among) ?? record;
    const status = statusOf(outcome);
    if (!isNew(requestId, `${status} ${outcome.id}`)) return;
    await rooms.ports.toAllPages(origin, {
      event: 'message',
      data: {
        type: 'relayer_status',
        data: { requestId, hash: outcome.hash ?? null, status, ...validity(outcome) },
      },
    });
  }

  /** @param isAgain - Tells the pages alone: the user has had the notification. */
  return (record: SubmissionRecord, isAgain = false): Promise<void> => alone(() => tell(record, isAgain));
}
