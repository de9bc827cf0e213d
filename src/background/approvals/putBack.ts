import type { IdJump, SubmissionRecord } from '../../journal/index.ts';
import type { Text } from '../../operations/review.ts';
import { planWake } from '../submissions/planWake.ts';
import { refusalText } from '../submissions/refusalText.ts';
import type { Wallet } from '../wallet.ts';
import { hasEffect } from './approvalEffect.ts';
import { closeWithoutPermission } from './closeQuestions.ts';
import { isLate } from './decisionAge.ts';
import { endFound } from './endFound.ts';
import { refreshBadge } from './refreshBadge.ts';
import {
  type Approved,
  connectionAsAsked,
  isForWindow,
  type RequestApproval,
  requestAsAsked,
  type StoredApproval,
} from './store/storedApproval.ts';
import { currentRequestId } from './turns.ts';

/**
 * Why an approval goes back to the user.
 *
 * - `late`: it was not signed within two minutes.
 * - `by-hand`: it needs another signature, because the relayer refused the last one; or the limits of the standing approval that
 *   answered it are reached.
 * - `idJump`: the relayer names a storage id that is not believed unasked.
 * - `why`: what it was prepared from has changed.
 */
type Reason = 'late' | 'by-hand' | { readonly idJump: IdJump } | { readonly why: Text };

/** What was signed for the request that is carried out now, and refused: a refusal does not make a signature void. */
async function refusedCopies(wallet: Pick<Wallet, 'journal'>, approval: StoredApproval): Promise<SubmissionRecord[]> {
  const requestId = await currentRequestId(wallet.journal, approval);
  const copies = await wallet.journal.copiesOf(approval.origin, requestId);
  return copies.filter(({ state }) => state === 'refused');
}

/** One more signature may be made at the next approval, and the review names the ones before. */
function withCopies(refused: readonly SubmissionRecord[]): Pick<RequestApproval, 'copies' | 'signedBefore'> {
  if (refused.length === 0) return {};
  const ends = refused.map(({ validUntil }) => validUntil);
  const last = ends.every((end) => end !== undefined) ? Math.max(...ends) : null;
  return {
    copies: Math.max(...refused.map(({ copy = 1 }) => copy)) + 1,
    signedBefore: { copies: refused.length, validUntil: last },
  };
}

/** The sentence above a request of which nothing was signed. */
function sentenceOf(reason: Reason, approvedAt: number): Text | undefined {
  if (reason === 'late')
    return { key: 'again_late', values: { time: { kind: 'time', seconds: Math.floor(approvedAt / 1000) } } };
  return typeof reason === 'object' && 'why' in reason ? reason.why : undefined;
}

function returned(current: Approved, reason: Reason, refused: readonly SubmissionRecord[]): StoredApproval {
  const { rule, review, reviewedAt, decidedAt, choice } = current;
  const why = rule === undefined ? sentenceOf(reason, decidedAt) : undefined;
  const again = why ? { again: { approvedAt: decidedAt, why } } : {};
  if (current.kind === 'connect') return { ...connectionAsAsked(current), ...again };
  const latest = refused.at(-1);
  return {
    // A key update is decided in its own pages, which begin with the choice of the key.
    ...requestAsAsked(current, choice ? 'choosing' : 'waiting'),
    // What the user saw, to be compared with what is prepared now.
    ...(reason === 'late' && !rule && !choice && review ? { review, reviewedAt } : {}),
    ...again,
    ...(reason === 'by-hand' && choice && latest ? { problem: refusalText(latest) } : {}),
    ...(reason === 'late' ? {} : { byHand: true as const }),
    ...(typeof reason === 'object' && 'idJump' in reason ? { idJump: { ...reason.idJump } } : {}),
    ...withCopies(refused),
  };
}

/**
 * Puts an approval back to the user as a pending one, prepared anew, with the reason. What was signed for it before and refused
 * can still be carried out, so one more signature needs one more click; the review says so. When it turns out that the relayer has
 * what it refused, the request ends with that. What a standing approval had answered too late is compared with its limits anew
 * instead, because nobody clicked.
 */
export async function putBack(wallet: Wallet, approval: StoredApproval, reason: Reason): Promise<void> {
  const { approvals, ports, vault } = wallet;
  const { id, decidedAt } = approval;
  const refused = await refusedCopies(wallet, approval);
  let isBack = false;
  await approvals.update(id, (current) => {
    if (current.stage !== 'approved' || current.decidedAt !== decidedAt) return null;
    isBack = true;
    return returned(current, reason, refused);
  });
  if (!isBack || (await endFound(wallet, id)) || (await closeWithoutPermission(wallet, approval))) return;
  if (approval.rule !== undefined && reason === 'late') return planWake(wallet);
  await wallet.prepare(id);
  await refreshBadge(wallet);
  ports.toUi();
  if (isForWindow(approval) && !approval.choice && (await vault.isUnlocked())) await ports.showApproval(id);
}

/**
 * Puts back what was approved too long ago; also while the wallet is locked, when nothing can be signed anyway.
 * @param id - One approval; all when absent.
 */
export async function returnLate(wallet: Wallet, id?: string): Promise<void> {
  const now = wallet.ports.now();
  const candidates = id === undefined ? await wallet.approvals.underWay() : [await wallet.approvals.get(id)];
  for (const approval of candidates)
    if (
      approval?.stage === 'approved' &&
      isLate(approval.decidedAt, now) &&
      !wallet.executing.has(approval.id) &&
      !(await hasEffect(wallet, approval))
    )
      await putBack(wallet, approval, 'late');
}
