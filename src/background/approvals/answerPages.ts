import type { Journal } from '../../journal/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { expected, reportedAs } from '../../report/report.ts';
import { errorAnswer, unauthorized } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import type { Grants } from '../sites/grants.ts';
import { outcomeOf, submissionsOf } from '../submissions/outcome.ts';
import { answerFor } from './answerFor.ts';
import type { Approvals } from './store/approvals.ts';
import { type Answer, type Requests, type StoredRequest, toPageMessage } from './store/requests.ts';
import type { StoredApproval } from './store/storedApproval.ts';

interface Outcomes {
  readonly approvals: Pick<Approvals, 'get'>;
  readonly journal: Pick<Journal, 'byRequest' | 'list'>;
}

export interface Answerable extends Outcomes {
  readonly requests: Pick<Requests, 'find'>;
  readonly grants: Pick<Grants, 'of'>;
  readonly ports: Pick<Ports, 'toPage'>;
}

export const blocked = () => unauthorized('blocked', 'The user has blocked this site.');

type AnsweredRequest = StoredRequest & { readonly answer: Answer };

export const hasAnswer = (request: StoredRequest): request is AnsweredRequest => request.answer !== null;

/** What tells that the wallet signed, or how what it signed ended. */
function tellsOfSignature(answer: Answer): boolean {
  if ('result' in answer) return true;
  const { hash, status } = (answer.error.data ?? {}) as { readonly hash?: unknown; readonly status?: unknown };
  // Without a hash when another end followed a refusal.
  return hash !== undefined || status === 'refused';
}

/** What the submission of a settled approval says now, where there is one that can be read. */
export const answerNow = ({ approvals, journal }: Outcomes, approvalId: string): Promise<Answer | undefined> =>
  approvals
    .get(approvalId)
    .then(async (approval) => {
      const record = approval?.submissionId && outcomeOf(await submissionsOf(journal, approval));
      return record ? answerFor(approval, record) : undefined;
    })
    .catch(reportedAs('requests: answer', undefined));

/**
 * The answer of a request: the stored one, unless that is the error of a signed request, whose
 * outcome may be another by now. A site that is blocked learns nothing of a signature.
 */
export async function answerTo(
  wallet: Outcomes & Pick<Answerable, 'grants'>,
  { origin, approvalId, answer }: AnsweredRequest,
): Promise<Answer> {
  if (!tellsOfSignature(answer)) return answer;
  if ((await wallet.grants.of(origin))?.blocked) return errorAnswer(blocked());
  if ('result' in answer) return answer;
  return (await answerNow(wallet, approvalId)) ?? answer;
}

/** Sends the stored answers of an approval that is over to the pages that are there. */
export async function pushAnswers(wallet: Answerable, approval: StoredApproval): Promise<void> {
  const { requests, ports } = wallet;
  if (approval.origin === OWN_ORIGIN) return;
  for (const id of approval.requestIds) {
    const request = await requests.find(approval.origin, id);
    if (request && hasAnswer(request))
      // Not waited for, because a tab that hangs takes no answer. One that is gone needs none, and
      // one that comes back asks by id.
      ports.toPage(request.tabId, approval.origin, toPageMessage(id, await answerTo(wallet, request))).catch(expected);
  }
}
