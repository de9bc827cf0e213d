import { RelayerClientError } from '../../client/index.ts';
import type { SubmissionRecord } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { FactsChanged } from '../../operations/operation.ts';
import type { Text } from '../../operations/review.ts';
import { STORAGE_SLOTS, storageSlot } from '../../protocol/index.ts';
import { reported } from '../../report/report.ts';
import { RpcError, relayerFailure } from '../errors/rpcError.ts';
import { toText, UiFailure } from '../errors/uiFailure.ts';
import { awaitsPage } from '../submissions/submissionRecord.ts';
import type { Wallet } from '../wallet.ts';
import { answerFor, closingAnswer } from './answerFor.ts';
import { counted } from './rejection.ts';
import type { Answer } from './store/requests.ts';
import { type ApprovedRequest, ended, type StoredApproval } from './store/storedApproval.ts';

/**
 * Ends an approval with its answer. Done last, so that a worker that stops before comes back to the
 * same end.
 */
export async function finish(
  { approvals }: Pick<Wallet, 'approvals'>,
  { id }: StoredApproval,
  end: { readonly submissionId?: string; readonly problem?: Text },
  answer: Answer,
): Promise<void> {
  await approvals.settle(id, (current) =>
    current.stage === 'approved' ? { approval: ended(current, 'done', end), answer } : null,
  );
}

/**
 * Ends an approval whose request was signed, and tells its status once, after the answer.
 * @returns Whether it was too late for that: the user has to be asked again.
 */
export async function endSubmitted(
  wallet: Pick<Wallet, 'endings' | 'journal' | 'planWake' | 'ports' | 'submissions' | 'tellStatus'>,
  approval: ApprovedRequest,
  passed: readonly SubmissionRecord[],
  sent: SubmissionRecord,
): Promise<boolean> {
  const answer = (one: SubmissionRecord) => {
    // With its answer, what goes to the page alone is processed.
    const answered = awaitsPage(one) ? { ...one, state: 'processed' as const } : one;
    return wallet.endings.finish(approval, { submissionId: one.id }, answerFor(approval, answered));
  };
  let record = sent;
  if (awaitsPage(sent)) {
    record = await wallet.submissions.handOver(sent, answer);
    if (record.state === 'abandoned') return true;
  } else {
    // It may have ended meanwhile.
    record = (await wallet.journal.get(sent.id)) ?? sent;
    await answer(record);
  }
  for (const one of [...passed, record]) await wallet.tellStatus(one);
  await lookAtReplaced(wallet, record);
  await wallet.planWake();
  wallet.ports.toUi();
  return false;
}

/**
 * Looks up the order that lost its slot to this request: it has ended at the relayer, and the next
 * poll would come much later.
 */
async function lookAtReplaced(
  { journal, submissions }: Pick<Wallet, 'journal' | 'submissions'>,
  { id, slot, networkId, accountId }: SubmissionRecord,
) {
  // The first ids of a slot take it from nobody.
  if (!slot || slot.storageId < STORAGE_SLOTS) return;
  const place = storageSlot(slot.storageId);
  for (const other of await journal.list({ exchangeOf: networkId, accountId, states: ['acknowledged'] }))
    if (other.id !== id && other.slot?.tokenId === slot.tokenId && storageSlot(other.slot.storageId) === place)
      await submissions.check(other.id).catch(reported('approvals: check what was replaced'));
}

export const problemOf = (error: unknown, { baseUrl }: NetworkView): Text =>
  error instanceof FactsChanged ? error.text : toText(error, new URL(baseUrl).host);

/**
 * Something failed before there was a signature: the page may simply ask again, unless the user
 * said no in the owner's other wallet.
 */
export async function giveUp(
  wallet: Pick<Wallet, 'endings' | 'ports' | 'requestRate'>,
  approval: ApprovedRequest,
  network: NetworkView,
  error: unknown,
): Promise<void> {
  const isNo = error instanceof UiFailure && error.code === 'wallet-rejected';
  const [kind, message, data] =
    error instanceof FactsChanged
      ? (['disconnected', error.message] as const)
      : error instanceof RelayerClientError
        ? relayerFailure(error)
        : (['internal', 'The request could not be completed.'] as const);
  const told = isNo
    ? counted(wallet)(approval)
    : new RpcError(kind, `${message} Nothing was signed.`, { ...data, status: 'not-signed' });
  await wallet.endings.finish(approval, { problem: problemOf(error, network) }, closingAnswer(approval, told));
  wallet.ports.toUi();
}
