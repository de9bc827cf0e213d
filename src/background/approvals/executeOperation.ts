import { JournalError, type SubmissionRecord } from '../../journal/index.ts';
import { operationNamed } from '../../operations/index.ts';
import { VaultError } from '../../vault/index.ts';
import { errorAnswer, unauthorized } from '../errors/rpcError.ts';
import { hadNoEffect } from '../submissions/outcome.ts';
import { refusalNameOf } from '../submissions/submissionRecord.ts';
import type { Wallet } from '../wallet.ts';
import { progressOf } from './attempts.ts';
import { problemOf } from './endApproved.ts';
import { ApprovalLapsed } from './store/flow.ts';
import type { ApprovedRequest } from './store/storedApproval.ts';

export async function executeOperation(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'endings' | 'journal' | 'putBack' | 'submitAttempts'>,
  approval: ApprovedRequest,
  isTooLate: boolean,
): Promise<void> {
  const { accountKeys, config, endings, journal, putBack } = wallet;
  const { account, network } = await config.place(approval.account);
  const progress = await progressOf(journal, approval);
  const { passed } = progress;
  const end = async (record: SubmissionRecord) => {
    if (await endings.submitted(approval, passed, record)) await putBack(approval, 'late');
  };
  if (!account || !network) {
    const latest = await journal.outcomeOf(approval.origin, progress.attempt.requestId);
    const record = latest?.wire ? latest : progress.record;
    const gone = unauthorized('revoked', 'The account of this request was removed from the wallet.');
    return record ? end(record) : endings.finish(approval, {}, errorAnswer(gone));
  }
  if (isTooLate) return putBack(approval, 'late');
  // Ready when the signature is on the disk.
  accountKeys.readApiKeyAhead(account.id);
  const { reapproveOn = [], alternatives } = operationNamed(approval.operation);
  try {
    const reason = await wallet.submitAttempts(approval, progress, account, network);
    if (reason !== null) return putBack(approval, reason);
  } catch (error) {
    // Within a standing approval there may be an earlier signature, of which the page does not know
    // yet.
    const read = approval.rule ? journal.outcomeOf : journal.byRequest;
    const found = await read(approval.origin, progress.attempt.requestId);
    // A signature that an earlier run gave up is none of this one.
    const latest = found?.state === 'abandoned' ? undefined : found;
    // The password is missing. What may have left is unknown; otherwise the approval stays, and the
    // next unlock goes on.
    if (error instanceof VaultError && error.code === 'locked' && (!latest?.wire || hadNoEffect(latest))) return;
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
  const { record } = progress;
  if (!record) return;
  const refusal = refusalNameOf(record);
  if (record.state === 'refused' && refusal !== undefined && reapproveOn.includes(refusal))
    return putBack(approval, 'by-hand');
  await end(record);
}

const isOutOfLimits = (error: unknown) =>
  error instanceof JournalError && (error.code === 'limit-exceeded' || error.code === 'rule-closed');
