import type { SubmissionRecord } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { operationNamed } from '../../operations/index.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { hadNoEffect } from '../submissions/outcome.ts';
import type { Wallet } from '../wallet.ts';
import { attemptAfter } from './attempts.ts';
import { type Attempt, COPIES_WITHIN_LIMITS, copyOf, type Progress, type Reason } from './store/flow.ts';
import type { ApprovedRequest } from './store/storedApproval.ts';

/** Polls of a request that ends at once, before the answer is given as it stands. */
const MAX_POLLS = 8;
const POLL_INTERVAL_MS = 300;
/**
 * Signs and sends the request of an approval, and the alternatives after it for as long as nothing
 * came of them.
 * @returns Why the user has to be asked again, or `null`.
 */
export async function submitAttempts(
  wallet: Pick<Wallet, 'config' | 'isUsedElsewhere' | 'keyUpdate' | 'submissions' | 'submitOnce'>,
  approval: ApprovedRequest,
  progress: Progress,
  known: StoredAccount,
  network: NetworkView,
): Promise<Reason | null> {
  const { changesKey, alternatives } = operationNamed(approval.operation);
  if (!changesKey) await wallet.keyUpdate.settle(known);
  // A key update may have ended just now: the record names the key that signs.
  const account = (await wallet.config.account(known.id)) ?? known;
  let next: Attempt | null = progress.attempt;
  while (next) {
    if (progress.record) progress.passed.push(progress.record);
    progress.attempt = next;
    let record = await wallet.submitOnce(approval, next, account, network);
    progress.record = record;
    // Signed by an earlier worker, and too old to be sent.
    if (record.state === 'abandoned') return 'late';
    // The relayer has what it had refused of an attempt before.
    if (record.requestId !== next.requestId) return null;
    while (await wallet.isUsedElsewhere(record, account, network)) {
      if (!approval.rule) return 'by-hand';
      if (copyOf(record) >= COPIES_WITHIN_LIMITS) break;
      record = await wallet.submitOnce(approval, next, account, network, true);
      progress.record = record;
      if (record.state === 'abandoned') return 'late';
    }
    if (alternatives?.isImmediate(next.draft.body)) progress.record = await endOf(wallet, record);
    next = alternatives ? nextAttempt(approval, next, progress.record) : null;
  }
  return null;
}

/** The attempt after this one, when nothing came of this one. */
const nextAttempt = (
  approval: ApprovedRequest,
  attempt: Attempt,
  record: SubmissionRecord | undefined,
): Attempt | null => (record && hadNoEffect(record) ? attemptAfter(approval, attempt, record) : null);

/** Polls a request that the relayer ends at once, until it has. */
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
