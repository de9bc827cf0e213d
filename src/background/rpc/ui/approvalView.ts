import { isUnknown } from '../../../journal/index.ts';
import type { ApprovalView } from '../../../messaging/views.ts';
import { signedBeforeText } from '../../../operations/askedAgain.ts';
import { findOperation, operationNamed } from '../../../operations/index.ts';
import { reviewChanges } from '../../../operations/reviewChanges.ts';
import type { StandingTerms } from '../../../operations/standing.ts';
import type { StandingShown } from '../../../operations/standingApproval.ts';
import { isForWindow, isOpen, offers, type StoredApproval } from '../../approvals/store/storedApproval.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { accountView } from '../../settings/accountView.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { outcomeOf, submissionsOf } from '../../submissions/outcome.ts';
import type { Wallet } from '../../wallet.ts';
import { activityItem } from './activityItem.ts';

const limitsOf = ({ draft }: StoredApproval) =>
  draft ? { terms: draft.body as StandingTerms, shown: draft.shown as StandingShown } : null;

/** Of what the user chooses or has decided, nothing waits for it. */
const waitsForPassword = ({ stage }: StoredApproval): boolean =>
  stage === 'approved' || (isOpen({ stage }) && stage !== 'choosing');

/** What a site asks for with a connection, and the accounts that can be chosen. */
async function connectView(
  { grants }: Pick<Wallet, 'grants'>,
  accounts: readonly StoredAccount[],
  approval: StoredApproval,
): Promise<ApprovalView['connect']> {
  if (approval.kind !== 'connect') return null;
  const offered = accounts.filter((account) => offers(approval, account));
  const granted = ((await grants.of(approval.origin))?.grants ?? []).filter(({ account }) =>
    offered.some(({ id }) => id === account),
  );
  return {
    kinds: approval.kinds,
    accounts: offered.map(accountView),
    granted: granted.map(({ account }) => account),
    isSwitch: approval.switchTo !== undefined,
    isMore: granted.some(({ kinds }) => approval.kinds.some((kind) => !kinds.includes(kind))),
    hasNext: approval.next !== undefined,
  };
}

const isOwnerApproved = ({ kind, operation }: StoredApproval) =>
  kind === 'operation' && operation !== undefined && operationNamed(operation).ownerApproves === true;

export async function viewOf(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'grants' | 'journal' | 'ports' | 'vault'>,
  id: string,
): Promise<ApprovalView> {
  const { approvals, config, vault, journal, ports } = wallet;
  const [approval, stored, open, isUnlocked] = await Promise.all([
    approvals.get(id),
    config.read(),
    approvals.open(),
    vault.isUnlocked(),
  ]);
  if (!approval) throw new UiFailure('approval-gone', 'error_approvalGone');
  const { accounts, claimed, networks, signers } = stored;
  const account = [...accounts, ...claimed].find((candidate) => candidate.id === approval.account);
  const networkId = approval.switchTo ?? account?.networkId ?? networks[0]?.id;
  const { stage } = approval;
  const byOwner = isOwnerApproved(approval);
  const isContract = account?.smart?.kind === 'contract';
  const asked = stage === 'approved' ? outcomeOf(await submissionsOf(journal, approval)) : undefined;
  // Signed, so that the password is not what it waits for.
  const signed = asked && isUnknown(asked) ? asked : undefined;
  const record = approval.submissionId ? await journal.get(approval.submissionId) : signed;
  const needsPassword = !isUnlocked && waitsForPassword(approval);
  const isHidden = needsPassword || stage === 'waiting';
  const { review, reviewedAt = null, first, signedBefore } = approval;
  return {
    id,
    kind: approval.kind,
    stage,
    needsPassword,
    origin: approval.origin,
    createdAt: approval.createdAt,
    waiting: isForWindow(approval) ? open.filter((other) => other.id !== id && isForWindow(other)).length : 0,
    account: account ? accountView(account) : null,
    network: networks.find((network) => network.id === networkId) ?? null,
    digest: isHidden ? null : (approval.digest ?? null),
    operation: approval.operation ?? null,
    shownBy: (approval.operation && findOperation(approval.operation)?.shownBy) || 'window',
    review: isHidden ? null : (review ?? null),
    reviewedAt,
    changes: first && review && !isHidden ? reviewChanges(first, { review, reviewedAt: reviewedAt ?? 0 }) : null,
    approvesOnL1: isContract && byOwner,
    asksOtherWallet:
      byOwner && !isContract && !record?.wire && signers.find(({ id }) => id === account?.signer)?.kind === 'external',
    connect: await connectView(wallet, accounts, approval),
    standing: approval.kind === 'standing' && !needsPassword ? limitsOf(approval) : null,
    connectedFirst: approval.connectedFirst ?? false,
    again: approval.again?.why ?? null,
    signedBefore: signedBefore ? signedBeforeText(signedBefore, ports.now() / 1000) : null,
    problem: approval.left ? { key: 'problem_pageLeft' } : (approval.problem ?? null),
    result: record ? activityItem(record, approval.review?.sentence, stored) : null,
  };
}
