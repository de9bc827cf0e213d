import type { SubmissionRecord } from '../../journal/index.ts';
import type { Text } from '../../operations/review.ts';
import { isLate } from '../submissions/isLate.ts';
import { isGivenUp } from '../submissions/outcome.ts';
import { refusalText } from '../submissions/refusalText.ts';
import type { Wallet } from '../wallet.ts';
import { requestIdsOf } from './attempts.ts';
import { copyOf, type Reason } from './store/flow.ts';
import {
  type Approved,
  connectionAsAsked,
  isForWindow,
  type RequestApproval,
  requestAsAsked,
  type StoredApproval,
} from './store/storedApproval.ts';

/**
 * The signatures that were refused, of all attempts: a refusal does not make one void. One more may
 * be made of the current attempt at the next approval, and the review names the ones before.
 */
async function refusedCopies(
  { journal }: Pick<Wallet, 'journal'>,
  { id, origin }: StoredApproval,
): Promise<
  Pick<RequestApproval, 'byHand' | 'copies' | 'copiesFor' | 'signedBefore'> & { latest?: SubmissionRecord | undefined }
> {
  const ids = await requestIdsOf(journal, { id, origin });
  const copies = (await Promise.all(ids.map((requestId) => journal.copiesOf(origin, requestId)))).flat();
  // Another signature needs a click then, also within a standing approval.
  const byHand = copies.some(isGivenUp) ? { byHand: true as const } : {};
  const refused = copies.filter(({ state }) => state === 'refused');
  if (refused.length === 0) return byHand;
  const requestId = ids.at(-1);
  const own = refused.filter((record) => record.requestId === requestId);
  const ends = refused.map(({ validUntil }) => validUntil);
  const last = ends.every((end) => end !== undefined) ? Math.max(...ends) : null;
  return {
    ...byHand,
    latest: refused.at(-1),
    copies: Math.max(0, ...own.map(copyOf)) + 1,
    ...(requestId === id ? {} : { copiesFor: requestId }),
    signedBefore: { copies: refused.length, validUntil: last },
  };
}

/** No copy is known, and how long one would be valid is not either. */
const PERHAPS_SIGNED = { copies: 0, validUntil: null };

/** The sentence above a request of which nothing was signed. */
function sentenceOf(reason: Reason, approvedAt: number): Text | undefined {
  if (reason === 'late')
    return { key: 'again_late', values: { time: { kind: 'time', seconds: Math.floor(approvedAt / 1000) } } };
  return typeof reason === 'object' && 'why' in reason ? reason.why : undefined;
}

function returned(
  current: Approved,
  reason: Reason,
  { latest, ...signed }: Awaited<ReturnType<typeof refusedCopies>>,
): StoredApproval {
  const { rule, review, reviewedAt, decidedAt, choice } = current;
  const why = rule === undefined ? sentenceOf(reason, decidedAt) : undefined;
  const again = why ? { again: { approvedAt: decidedAt, why } } : {};
  if (current.kind === 'connect') return { ...connectionAsAsked(current), ...again };
  return {
    // A key update is decided in its own pages, which begin with the choice of the key.
    ...requestAsAsked(current, choice ? 'choosing' : 'waiting'),
    // What the user saw, to be compared with what is prepared now.
    ...(reason === 'late' && !rule && !choice && review ? { review, reviewedAt } : {}),
    ...again,
    ...(reason === 'by-hand' && choice && latest ? { problem: refusalText(latest) } : {}),
    ...(reason === 'late' ? {} : { byHand: true as const }),
    ...(typeof reason === 'object' && 'idJump' in reason ? { idJump: { ...reason.idJump } } : {}),
    ...signed,
    ...(reason === 'recordsLost' ? { signedBefore: PERHAPS_SIGNED } : {}),
  };
}

/**
 * Makes an approval a pending one, with the reason.
 * @returns Whether it still was approved.
 */
export async function takeBack(
  wallet: Pick<Wallet, 'approvals' | 'journal'>,
  approval: StoredApproval,
  reason: Reason,
): Promise<boolean> {
  const { id, decidedAt } = approval;
  const refused = await refusedCopies(wallet, approval);
  let isBack = false;
  await wallet.approvals.update(id, (current) => {
    if (current.stage !== 'approved' || current.decidedAt !== decidedAt) return null;
    isBack = true;
    return returned(current, reason, refused);
  });
  return isBack;
}

/**
 * Puts an approval back to the user as a pending one, prepared anew, with the reason. What was
 * signed for it before and refused can still be carried out, so one more signature needs one more
 * click; the review says so. When it turns out that the relayer has what it refused, the request
 * ends with that. What a standing approval had answered too late is compared with its limits anew
 * instead, because nobody clicked.
 */
export async function putBack(
  wallet: Pick<Wallet, 'approvals' | 'journal' | 'askAnew'>,
  approval: StoredApproval,
  reason: Reason,
): Promise<void> {
  if (await takeBack(wallet, approval, reason)) await wallet.askAnew(approval);
}

/**
 * Prepares an approval that was put back and shows it, unless it ends or is answered without the
 * user.
 */
export async function askAnew(
  wallet: Pick<Wallet, 'closing' | 'leftPages' | 'prepareAsked' | 'badge' | 'vault' | 'showWindow'>,
  approval: StoredApproval,
): Promise<void> {
  const { closing, vault } = wallet;
  const { id } = approval;
  if (
    (await closing.endFound(id)) ||
    (await closing.closeWithoutPermission(approval)) ||
    // Nobody clicked, and another standing approval may answer it.
    (approval.rule !== undefined && (await wallet.leftPages.endIf(id))) ||
    (await wallet.prepareAsked(id))
  )
    return;
  await wallet.badge.refresh();
  if (isForWindow(approval) && !approval.choice && (await vault.isUnlocked())) await wallet.showWindow(id);
}

/**
 * Puts back what was approved too long ago; also while the wallet is locked, when nothing can be
 * signed anyway.
 * @param id - One approval; all when absent.
 */
export async function returnLate(
  wallet: Pick<Wallet, 'approvals' | 'executing' | 'hasEffect' | 'putBack' | 'ports'>,
  id?: string,
): Promise<void> {
  const candidates = id === undefined ? await wallet.approvals.unsettled() : [await wallet.approvals.get(id)];
  for (const approval of candidates)
    if (
      approval?.stage === 'approved' &&
      // The clock is read after the approval: one decided meanwhile would lie in its future.
      isLate(approval.decidedAt, wallet.ports.now()) &&
      !wallet.executing.has(approval.id) &&
      !(await wallet.hasEffect(approval))
    )
      await wallet.putBack(approval, 'late');
}
