import { isFinal, JournalError, type SubmissionRecord } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { operationNamed } from '../../operations/index.ts';
import { VaultError } from '../../vault/index.ts';
import { unauthorized } from '../errors/rpcError.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { refusalNameOf, submittedRequest } from '../submissions/submissionRecord.ts';
import type { Wallet } from '../wallet.ts';
import { answerFor } from './answerFor.ts';
import { errorAnswer } from './answerPages.ts';
import { attemptAfter, currentAttempt } from './attempts.ts';
import { isLate } from './decisionAge.ts';
import { problemOf } from './endApproved.ts';
import {
  ApprovalLapsed,
  type Attempt,
  COPIES_WITHIN_LIMITS,
  copyOf,
  type Progress,
  type Reason,
} from './store/flow.ts';
import type { ApprovedRequest } from './store/storedApproval.ts';

/** Looks at a request that ends at once, before the answer is given as it stands. */
const MAX_POLLS = 8;
const POLL_INTERVAL_MS = 300;
/**
 * Carries an approval out: reserve → sign → send, each step on disk before the next. Can be called at any time and after any
 * stop; it goes on where the journal says the last worker ended.
 */
export function executeApproval(
  { executing, signing, execute, planWake }: Pick<Wallet, 'executing' | 'signing' | 'execute' | 'planWake'>,
  id: string,
): Promise<void> {
  let work = executing.get(id);
  if (!work) {
    work = execute(id)
      .catch(async (error: unknown) => {
        // Such as a full disk. The approval stays as it is, and the next wake-up goes on with it.
        await planWake();
        throw error;
      })
      .finally(() => {
        executing.delete(id);
        signing.delete(id);
      });
    executing.set(id, work);
  }
  return work;
}

export async function execute(
  wallet: Pick<Wallet, 'approvals' | 'effectOf' | 'hasEffect' | 'ports' | 'putBack' | 'vault'>,
  id: string,
): Promise<void> {
  const { approvals, vault, effectOf, ports } = wallet;
  const approval = await approvals.get(id);
  if (approval?.stage !== 'approved' || !(await vault.isUnlocked())) return;
  const isTooLate = isLate(approval.decidedAt, ports.now()) && !(await wallet.hasEffect(approval));
  // The answer of a request whose account is gone needs no signature.
  if (approval.kind === 'operation') return effectOf.operation(approval, isTooLate);
  if (isTooLate) return wallet.putBack(approval, 'late');
  await (approval.kind === 'connect' ? effectOf.connect(approval) : effectOf.standing(approval));
}

export async function executeOperation(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'endings' | 'journal' | 'putBack' | 'submitTurns'>,
  approval: ApprovedRequest,
  isTooLate: boolean,
): Promise<void> {
  const { accountKeys, config, endings, journal, putBack } = wallet;
  const { account, network } = await config.place(approval.account);
  const progress: Progress = { attempt: await currentAttempt(journal, approval), record: undefined, passed: [] };
  if (!account || !network) {
    const record = await journal.byRequest(approval.origin, progress.attempt.requestId);
    const gone = unauthorized('revoked', 'The account of this request was removed from the wallet.');
    return record?.wire
      ? endings.finish(approval, { submissionId: record.id }, answerFor(approval, record))
      : endings.finish(approval, {}, errorAnswer(gone));
  }
  if (isTooLate) return putBack(approval, 'late');
  // Ready when the signature is on the disk.
  accountKeys.readApiKeyAhead(account.id);
  const { reapproveOn = [], alternatives } = operationNamed(approval.operation);
  try {
    const reason = await wallet.submitTurns(approval, progress, account, network);
    if (reason !== null) return putBack(approval, reason);
  } catch (error) {
    // The password is missing: the approval stays, and the next unlock goes on.
    if (error instanceof VaultError && error.code === 'locked') return;
    const latest = await journal.byRequest(approval.origin, progress.attempt.requestId);
    const jump = error instanceof JournalError ? error.jump : undefined;
    if (jump) return putBack(approval, { idJump: { ...jump } });
    if (approval.rule && isOutOfLimits(error)) return putBack(approval, 'by-hand');
    // A later attempt that could not be signed leaves the answer of the one before.
    if (latest?.wire || !alternatives) progress.record = latest;
    if (!progress.record?.wire && error instanceof ApprovalLapsed)
      return error.reason === 'late' ? putBack(approval, 'late') : undefined;
    if (!progress.record?.wire)
      return reapproveOn.length > 0
        ? putBack(approval, { why: problemOf(error, network) })
        : endings.giveUp(approval, network, error);
  }
  const { record, passed } = progress;
  if (!record) return;
  const refusal = refusalNameOf(record);
  if (record.state === 'refused' && refusal !== undefined && reapproveOn.includes(refusal))
    return putBack(approval, 'by-hand');
  await endings.submitted(approval, passed, record);
}

/**
 * Signs and sends the request of an approval, and the alternatives after it for as long as nothing came of them.
 * @returns Why the user has to be asked again, or `null`.
 */
export async function submitTurns(
  wallet: Pick<Wallet, 'config' | 'isUsedElsewhere' | 'keyUpdate' | 'submissions' | 'submitOnce'>,
  approval: ApprovedRequest,
  progress: Progress,
  known: StoredAccount,
  network: NetworkView,
): Promise<Reason | null> {
  const { reapproveOn = [], alternatives } = operationNamed(approval.operation);
  if (reapproveOn.length === 0) await wallet.keyUpdate.settle(known);
  // A key update may have ended just now: the record names the key that signs.
  const account = (await wallet.config.account(known.id)) ?? known;
  let next: Attempt | null = progress.attempt;
  while (next) {
    if (progress.record) progress.passed.push(progress.record);
    progress.attempt = next;
    let record = await wallet.submitOnce(approval, next, account, network);
    progress.record = record;
    while (await wallet.isUsedElsewhere(record, account, network)) {
      if (!approval.rule) return 'by-hand';
      if (copyOf(record) >= COPIES_WITHIN_LIMITS) break;
      record = await wallet.submitOnce(approval, next, account, network);
      progress.record = record;
    }
    if (alternatives?.isImmediate(next.draft.body)) progress.record = await endOf(wallet, record);
    next = alternatives ? nextAttempt(approval, next, progress.record) : null;
  }
  return null;
}

/** The attempt after this one, when this one was refused or ended with nothing done. An unknown outcome is neither. */
function nextAttempt(
  approval: ApprovedRequest,
  attempt: Attempt,
  record: SubmissionRecord | undefined,
): Attempt | null {
  if (!record) return null;
  const { alternatives } = operationNamed(approval.operation);
  const nothing =
    record.state === 'refused' || (isFinal(record.state) && alternatives?.hadNoEffect(submittedRequest(record)));
  return nothing ? attemptAfter(approval, attempt, record) : null;
}

/** Looks at a request that the relayer ends at once, until it has. */
async function endOf(
  { submissions }: Pick<Wallet, 'submissions'>,
  record: SubmissionRecord,
): Promise<SubmissionRecord> {
  let latest = record;
  for (let poll = 0; poll < MAX_POLLS && latest.state === 'acknowledged'; poll++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    latest = await submissions.check(record.id);
  }
  return latest;
}

const isOutOfLimits = (error: unknown) =>
  error instanceof JournalError && (error.code === 'limit-exceeded' || error.code === 'rule-closed');
