import { coreInUse } from '../../crypto/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { isStale } from '../../messaging/reviewAge.ts';
import { approvalDigest } from '../../operations/approvalDigest.ts';
import { reviewOf } from '../../operations/askedAgain.ts';
import { approvableNamed } from '../../operations/index.ts';
import { type Draft, IntentError } from '../../operations/operation.ts';
import type { StandingTerms } from '../../operations/standing.ts';
import {
  type StandingLimits,
  type StandingShown,
  standingApproval,
  tightened,
} from '../../operations/standingApproval.ts';
import { asksPassword } from '../../operations/warnings.ts';
import { reported } from '../../report/report.ts';
import { RpcError } from '../errors/rpcError.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import type { Approve } from './store/flow.ts';
import {
  isForWindow,
  isOpen,
  isRequest,
  offers,
  type ReadyConnection,
  type ReadyRequest,
  type StoredApproval,
} from './store/storedApproval.ts';

/**
 * The user said yes to exactly what the window showed. A review that is too old is prepared again instead, to be shown and approved anew. The digest is computed again from what is stored now and the review
 * is made again from the draft; any difference is refused, and nothing was signed.
 * @throws {UiFailure} `approval-gone`, `digest-mismatch`, `locked`
 */
export async function approve(
  wallet: Pick<Wallet, 'approvals' | 'approveConnection' | 'approveRequest' | 'leftPages' | 'vault'>,
  decision: Approve,
): Promise<void> {
  await wallet.leftPages.endIf(decision.id);
  const approval = await wallet.approvals.get(decision.id);
  if (approval?.stage !== 'ready') throw new UiFailure('approval-gone', 'error_approvalGone');
  if (!(await wallet.vault.isUnlocked())) throw new UiFailure('locked', 'error_locked');
  await (approval.kind === 'connect'
    ? wallet.approveConnection(approval, decision)
    : wallet.approveRequest(approval, decision));
}

/** The user approves a request that is to be signed, or a standing approval. */
export async function approveRequest(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'decided' | 'ports' | 'prepare' | 'vault'>,
  approval: ReadyRequest,
  decision: Approve,
): Promise<void> {
  const { approvals, vault, config } = wallet;
  const { account, network } = await config.place(approval.account);
  if (!account || !network) throw new UiFailure('not-found', 'error_notFound');
  if (decision.account !== approval.account) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  if (isStale(approval.reviewedAt, wallet.ports.now())) return wallet.prepare(decision.id);
  const approvable = approvableNamed(approval.operation);
  if (approvable.confirm === 'password' || asksPassword(approval.review)) {
    if (decision.password === undefined) throw new UiFailure('password-needed', 'error_passwordNeeded');
    await vault.checkPassword(decision.password);
  }
  if (approval.choice?.kind === 'random' && !approval.choice.backedUp)
    throw new UiFailure('backup-needed', 'error_backupNeeded');
  let approved = false;
  const stored = approvals.update(decision.id, (current) => {
    const now = wallet.ports.now();
    if (!isReady(current) || isStale(current.reviewedAt, now)) return null;
    approved = matches(current, decision.digest, network.exchangeAddress);
    return approved ? { ...current, stage: 'approved', decidedAt: now } : null;
  });
  // Loaded while the disk is at work, which takes longer.
  coreInUse();
  await stored;
  if (!approved) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  // The window is told at once that work goes on; the result reaches it, and the page, when it is there.
  wallet.decided(approval).catch(reported('approvals: after a decision'));
}

/** Carries out what was approved. The site's rate counts the decision, and the badge follows. */
export async function decided(
  { carryOut, badge, requestRate }: Pick<Wallet, 'carryOut' | 'badge' | 'requestRate'>,
  { id, origin }: StoredApproval,
): Promise<void> {
  const done = carryOut(id);
  badge.refreshSoon();
  requestRate.countDecision(origin).catch(reported('approvals: after a decision'));
  await done;
}

/**
 * Puts the request for a standing approval again with limits that the user made tighter: another draft, review and digest,
 * which the window has to show before they can be approved.
 * @throws {UiFailure} `invalid-input` for a limit that is looser, `digest-mismatch` for an approval request that was not shown.
 */
export async function tighten(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'ports' | 'vault'>,
  id: string,
  digest: string,
  limits: StandingLimits,
): Promise<void> {
  const { approvals, vault, config, ports } = wallet;
  const approval = await approvals.get(id);
  if (approval?.stage !== 'ready' || approval.kind !== 'standing')
    throw new UiFailure('approval-gone', 'error_approvalGone');
  if (!(await vault.isUnlocked())) throw new UiFailure('locked', 'error_locked');
  const { network } = await config.place(approval.account);
  if (!network) throw new UiFailure('not-found', 'error_notFound');
  let changed = false;
  try {
    await approvals.update(id, (current) => {
      if (!isReady(current) || !matches(current, digest, network.exchangeAddress)) return null;
      changed = true;
      const now = Math.floor(ports.now() / 1000);
      const draft = tightened(current.draft as Draft<StandingTerms, StandingShown>, limits, now);
      // The facts are as old as before.
      const { first: _, reviewedAt, ...rest } = current;
      // The limits of the user are what is prepared again from here on.
      const intent = { ...(current.intent as object), ...draft.body };
      const next = { ...rest, intent, draft, reviewedAt, review: standingApproval.review(draft, reviewedAt) };
      return { ...next, digest: approvalDigest(next, network.exchangeAddress) };
    });
  } catch (error) {
    throw error instanceof IntentError
      ? new UiFailure('invalid-input', 'error_invalidInput', { field: error.field })
      : error;
  }
  if (!changed) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  ports.toUi();
}

const isReady = (approval: StoredApproval): approval is ReadyRequest =>
  isRequest(approval) && approval.stage === 'ready';

function matches(approval: ReadyRequest, digest: string, exchangeAddress: string): boolean {
  const { draft, review, reviewedAt, operation } = approval;
  const again = reviewOf(approvableNamed(operation), draft, reviewedAt);
  return (
    digest === approval.digest &&
    digest === approvalDigest(approval, exchangeAddress) &&
    JSON.stringify(again) === JSON.stringify(review)
  );
}

/** The user connects the accounts and permissions that were chosen. */
export async function approveConnection(
  wallet: Pick<Wallet, 'approvals' | 'badge' | 'config' | 'decided' | 'ports'>,
  approval: ReadyConnection,
  decision: Approve,
): Promise<void> {
  const { approvals, config } = wallet;
  const known = (await config.read()).accounts;
  const accounts = known
    .filter((account) => decision.accounts?.includes(account.id) && offers(approval, account))
    .map(({ id }) => id);
  const kinds = approval.kinds.filter((kind) => decision.kinds?.includes(kind) ?? true);
  if (accounts.length === 0) throw new UiFailure('invalid-input', 'error_invalidInput', { field: 'accounts' });
  let approved = false;
  await approvals.update(decision.id, (current) => {
    if (current.kind !== 'connect' || current.stage !== 'ready') return null;
    approved = decision.digest === current.digest && decision.digest === approvalDigest(current, '');
    return approved
      ? { ...current, stage: 'approved', decidedAt: wallet.ports.now(), chosen: { accounts, kinds } }
      : null;
  });
  if (!approved) throw new UiFailure('digest-mismatch', 'error_digestMismatch');
  await wallet.decided(approval);
  await wallet.badge.refresh();
}

/** The user said no, closed the approval request, or takes an approval back while nothing of it is signed. */
export async function reject(
  wallet: Pick<Wallet, 'approvals' | 'badge' | 'closing' | 'pushAnswers' | 'requestRate' | 'rights'>,
  id: string,
  block: boolean,
): Promise<void> {
  const { approvals, closing, rights } = wallet;
  const open = await approvals.get(id);
  const isTakenBack = open?.stage === 'approved';
  if (!open || !(isOpen(open) || isTakenBack)) throw new UiFailure('approval-gone', 'error_approvalGone');
  // Blocked first: should the worker stop after this, the approval request is still there to be rejected.
  if (block && open.origin !== OWN_ORIGIN) await rights.silence(open.origin);
  const approval = await closing.close(id, isTakenBack ? takenBack : rejection);
  if (!approval)
    throw isTakenBack
      ? new UiFailure('already-signed', 'error_alreadySigned')
      : new UiFailure('approval-gone', 'error_approvalGone');
  if (isTakenBack) await wallet.pushAnswers(approval);
  else await afterRejection(wallet, approval);
  if (block && approval.origin !== OWN_ORIGIN) await rights.block(approval.origin);
  await wallet.badge.refresh();
}

async function afterRejection(
  { requestRate, pushAnswers }: Pick<Wallet, 'pushAnswers' | 'requestRate'>,
  approval: StoredApproval,
): Promise<void> {
  // The cool-down is a convenience; the answer must reach the page also when it cannot be stored.
  await requestRate.countRejection(approval.origin).catch(reported('approvals: after a decision'));
  requestRate.countDecision(approval.origin).catch(reported('approvals: after a decision'));
  await pushAnswers(approval);
}

/** The user said no to everything of sites that is not decided; what was approved goes on. */
export async function rejectAll(
  wallet: Pick<Wallet, 'approvals' | 'badge' | 'closing' | 'pushAnswers' | 'requestRate'>,
): Promise<void> {
  for (const { id } of (await wallet.approvals.open()).filter(isForWindow)) {
    const rejected = await wallet.closing.close(id, rejection, isOpen);
    if (rejected) await afterRejection(wallet, rejected);
  }
  await wallet.badge.refresh();
}

const takenBack = () => new RpcError('rejected', 'The user took the approval back before anything was signed.');

/** Rejecting what could not be shown tells the page why it could not; nothing was signed either way. */
function rejection({ problem }: StoredApproval): RpcError {
  return problem
    ? new RpcError('disconnected', 'The relayer could not be used, so the request was closed. Nothing was signed.', {
        reason: problem.key,
      })
    : new RpcError('rejected', 'The user rejected the request.');
}
