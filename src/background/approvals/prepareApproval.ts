import { isStale } from '../../messaging/reviewAge.ts';
import { approvalDigest } from '../../operations/approvalDigest.ts';
import { report, reported } from '../../report/report.ts';
import { VaultError } from '../../vault/index.ts';
import { sideBySide } from '../relayers/sideBySide.ts';
import { networkIdOf } from '../settings/storedConfig.ts';
import type { Wallet } from '../wallet.ts';
import { isToPrepare } from './prepareOperation.ts';
import type { Pending, StoredApproval } from './store/storedApproval.ts';

/** To be prepared, or again because its review is too old. */
const isDue = (approval: StoredApproval, now: number): approval is Pending =>
  isToPrepare(approval) || (approval.stage === 'ready' && isStale(approval.reviewedAt, now));

/**
 * Completes a stored approval request, and prepares one again whose review is too old: reads the
 * facts, makes draft, review and digest. An approval request that cannot be asked at all (a field
 * of the intent is wrong) is closed and the page is told; one whose facts cannot be read now stays.
 * @param asking - Called when the relayer is asked: what can be known to be wrong without it is
 *   not.
 */
export async function prepareApproval(
  wallet: Pick<Wallet, 'approvals' | 'vault' | 'ports' | 'answerUnlock' | 'prepareOperation' | 'keepProblem'>,
  id: string,
  asking?: () => void,
): Promise<void> {
  const { approvals, vault, ports } = wallet;
  const [approval, isUnlocked] = await Promise.all([approvals.get(id), vault.isUnlocked()]);
  if (!approval || !isDue(approval, ports.now())) return;
  if (approval.kind === 'unlock') return wallet.answerUnlock(id);
  if (approval.kind === 'connect') {
    await approvals.update(id, (current) =>
      current.kind === 'connect' && current.stage === 'waiting'
        ? { ...current, stage: 'ready', digest: approvalDigest(current, '') }
        : null,
    );
    ports.toUi();
    return;
  }
  if (!isUnlocked) return;
  try {
    await wallet.prepareOperation(approval, asking);
  } catch (error) {
    // Locked meanwhile: the approval request waits for the password, and goes on by itself after
    // it.
    if (!(error instanceof VaultError && error.code === 'locked')) await wallet.keepProblem(approval, error);
  }
  ports.toUi();
}

/**
 * Goes on with all approval requests that waited for the password, or whose worker was stopped
 * before; a wizard's too. At each exchange what was approved comes first. What pages that are gone
 * had asked ends here: a standing approval would answer it without a click.
 */
export async function resumeApprovals({
  approvals,
  carryOut,
  leftPages,
  prepare,
}: Pick<Wallet, 'approvals' | 'carryOut' | 'leftPages' | 'prepare'>): Promise<void> {
  const goOn = async ({ id, stage }: StoredApproval) => {
    if (stage === 'approved') await carryOut(id);
    // What was approved too long ago may wait again, and a standing approval may answer it now.
    const isNow = async (meant: StoredApproval['stage']) => (await approvals.get(id))?.stage === meant;
    if (!(await isNow('waiting')) || (await leftPages.endIf(id))) return;
    await prepare(id);
    if (await isNow('approved')) await carryOut(id);
  };
  const open = await approvals.unsettled();
  const rank = ({ stage }: StoredApproval) => (stage === 'approved' ? 0 : 1);
  await sideBySide(
    open.sort((a, b) => rank(a) - rank(b)),
    ({ account }) => networkIdOf(account),
    (one) => goOn(one).catch(reported('worker: resume')),
  );
}

/**
 * Prepares what was asked just now; what a standing approval answers is carried out. What none
 * answers counts for the rate of its site as any other request, and ends when that is spent.
 * @returns Whether the user is not asked.
 */
export async function prepareAsked(
  {
    approvals,
    prepare,
    carryOut,
    planWake,
    endsTooOften,
  }: Pick<Wallet, 'approvals' | 'carryOut' | 'endsTooOften' | 'planWake' | 'prepare'>,
  id: string,
  isUncounted = false,
  relayerAsked?: () => void,
): Promise<boolean> {
  try {
    await prepare(id, relayerAsked);
    const asked = await approvals.get(id);
    if (asked?.rule === undefined) return isUncounted && asked !== undefined && (await endsTooOften(asked));
    carryOut(id).catch(reported('approvals: carry out'));
    return true;
  } catch (error) {
    report('approvals: prepare', error);
    await planWake();
    return false;
  }
}
