import type { Text } from '../../operations/review.ts';
import { isLate } from '../submissions/isLate.ts';
import { refusalText } from '../submissions/refusalText.ts';
import type { Wallet } from '../wallet.ts';
import { refusedCopies } from './attempts.ts';
import type { Reason } from './store/flow.ts';
import {
  type Approved,
  connectionAsAsked,
  isForWindow,
  requestAsAsked,
  type StoredApproval,
} from './store/storedApproval.ts';

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
  const refused = await refusedCopies(wallet.journal, approval);
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
