import type { IdJump, SubmissionRecord } from '../../journal/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { operationNamed } from '../../operations/index.ts';
import { unauthorized } from '../errors/rpcError.ts';
import { unprepared } from '../keyUpdate/rotation.ts';
import type { Wallet } from '../wallet.ts';
import { pushAnswers } from './answerPages.ts';
import { closeQuestion } from './closeQuestions.ts';
import { prepareApproval } from './prepareApproval.ts';
import { refreshBadge } from './refreshBadge.ts';
import type { StoredApproval } from './storedApproval.ts';

/**
 * Puts an approved request to the user again, prepared anew: one approval gives one signature, and this request needs another,
 * or the standing approval that answered it no longer does. The review names the copies that were signed before.
 * @param refused - The latest signature of the request, which the relayer refused.
 * @param idJump - The storage id that the relayer names is not believed unasked.
 */
export async function askOnceMore(
  wallet: Wallet,
  { id, origin, operation, account }: StoredApproval,
  refused: SubmissionRecord | undefined,
  idJump?: IdJump,
): Promise<void> {
  const copies = refused ? await wallet.journal.copiesOf(origin, refused.requestId) : [];
  const ends = copies.map(({ validUntil }) => validUntil);
  const last = ends.every((end) => end !== undefined) ? Math.max(...ends) : null;
  const signedBefore = copies.length === 0 ? {} : { signedBefore: { copies: copies.length, validUntil: last } };
  await wallet.approvals.update(id, (current) => {
    const { rule: _, ...rest } = unprepared(current);
    return current.stage === 'approved'
      ? {
          ...rest,
          stage: 'waiting',
          byHand: true,
          copies: (refused?.copy ?? (refused ? 1 : 0)) + 1,
          ...signedBefore,
          ...(idJump ? { idJump: { ...idJump } } : {}),
        }
      : null;
  });
  const kinds = (await wallet.grants.of(origin))?.grants.find((grant) => grant.account === account)?.kinds ?? [];
  if (origin !== OWN_ORIGIN && !kinds.includes(operationNamed(operation ?? '').permission)) {
    const gone = unauthorized('revoked', 'The permission for this request was taken back.');
    const closed = await closeQuestion(wallet, id, () => gone);
    if (closed) await pushAnswers(wallet, closed);
    return;
  }
  await prepareApproval(wallet, id);
  await refreshBadge(wallet);
  if (origin !== OWN_ORIGIN) await wallet.ports.showApproval(id);
  wallet.ports.toUi();
}
