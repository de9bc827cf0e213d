import { lastChangeAt, type SubmissionRecord, slotTokens } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { deadlineOf, operationNamed } from '../../operations/index.ts';
import { FactsChanged, type Slot } from '../../operations/operation.ts';
import { newerInSlotText } from '../../operations/replacedOrder.ts';
import { STORAGE_SLOTS, storageSlot } from '../../protocol/index.ts';
import { readsFor } from '../relayers/reads.ts';
import { nextStorageId, openSlots } from '../relayers/storageIds.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { spendOf } from '../sites/standingApprovals.ts';
import { hadNoEffect, isGivenUp } from '../submissions/outcome.ts';
import { isIdTaken } from '../submissions/submissionRecord.ts';
import type { Wallet } from '../wallet.ts';
import { signaturesOf } from './attempts.ts';
import { newerInSlot } from './newerInSlot.ts';
import { ApprovalLapsed, type Attempt, COPIES_WITHIN_LIMITS, copyOf } from './store/flow.ts';
import type { ApprovedRequest } from './store/storedApproval.ts';

/**
 * Signs a request that is not signed yet and sends it; one that is signed is looked up. So is every
 * signature before, of this attempt and of those before it, and one of which something came is the
 * answer.
 * @param isTaken - Another browser used the storage id of the last signature. Within a standing
 *   approval, nothing else is a reason for another one.
 */
export async function submitOnce(
  wallet: Pick<Wallet, 'accountKeys' | 'claim' | 'journal' | 'ports' | 'relayers' | 'submissions'>,
  approval: ApprovedRequest,
  attempt: Attempt,
  account: StoredAccount,
  network: NetworkView,
  isTaken = false,
): Promise<SubmissionRecord> {
  const { journal, submissions } = wallet;
  const known = await journal.outcomeOf(approval.origin, attempt.requestId);
  if (known?.state === 'refused' || known?.state === 'abandoned') {
    const latest = await journal.byRequest(approval.origin, attempt.requestId);
    // Given up after this click, which is no reason for another signature.
    if (latest && isGivenUp(latest) && lastChangeAt(latest) >= approval.decidedAt) return latest;
    if (known.state === 'refused' && (copyOf(known) >= copiesOf(approval, attempt) || (approval.rule && !isTaken)))
      return known;
  } else if (known && known.state !== 'reserved') {
    return known.state === 'signed' || known.state === 'sent' ? submissions.check(known.id) : known;
  }
  const isFirst = known === undefined && attempt.requestId === approval.id;
  const before = isFirst ? [] : await signaturesOf(journal, approval);
  for (const { id } of before) {
    // Looked up once more, right before there is another signature.
    const latest = await submissions.check(id);
    if (!hadNoEffect(latest)) return latest;
  }
  const signed = await signOnce(wallet, approval, attempt, account, network);
  return submissions.send(signed);
}

/** Reserves an id, then signs: both are on disk before anything is sent. */
export async function signOnce(
  wallet: Pick<Wallet, 'accountKeys' | 'claim' | 'journal' | 'ports' | 'relayers'>,
  approval: ApprovedRequest,
  attempt: Attempt,
  account: StoredAccount,
  network: NetworkView,
): Promise<SubmissionRecord> {
  const { journal, accountKeys } = wallet;
  const { requestId, draft, reuse: before, after } = attempt;
  const operation = operationNamed(approval.operation);
  const { digest } = approval;
  const slot: Slot | null = operation.storageSlot(draft);
  const validUntil = deadlineOf(operation, draft.body as object);
  const reuse = before ?? slot?.reuse;
  const requested = ({ tokenId, parity, alsoOf }: Slot) => {
    const counterOf = (of: number) => ({
      tokenId: of,
      nextFromRelayer:
        approval.idJump?.named ?? (() => nextStorageId(wallet, { tokenId: of, parity }, account, network)),
    });
    return {
      ...counterOf(tokenId),
      parity,
      reuse,
      also: alsoOf === undefined ? undefined : counterOf(alsoOf),
      accepted: approval.idJump?.named,
      openSlots: parity === 'order' ? () => openSlots(wallet, tokenId, account, network) : undefined,
    };
  };
  const reserved = await journal.reserve(
    {
      networkId: network.id,
      accountId: account.accountId,
      origin: approval.origin,
      requestId,
      operation: operation.name,
      draft: draft.body,
      reviewDigest: digest,
      shown: JSON.parse(JSON.stringify(draft.shown ?? null)),
      ...(approval.reviewedAt === undefined ? {} : { reviewedAt: approval.reviewedAt }),
      publicKey: account.publicKey,
      ...(validUntil === undefined ? {} : { validUntil }),
    },
    {
      slot: slot ? requested(slot) : undefined,
      spend: approval.rule ? spendOf(approval.rule, operation, draft) : undefined,
      copies: copiesOf(approval, attempt),
      after,
    },
  );
  const recheck = async () => operation.recheck?.(draft, readsFor(account, network, wallet));
  let { publicKey } = account;
  const keys = accountKeys.keysOf(account, (used) => {
    publicKey = used;
  });
  try {
    // An order that took the slot since the review would end as well, and was not shown.
    const newer = reuse === undefined ? undefined : await newerInSlot(wallet, reserved, reuse);
    if (newer) throw new FactsChanged('A newer order took the slot.', newerInSlotText(newer.hash ?? newer.id));
    await recheck();
    const lapse = await wallet.claim(approval.id);
    if (lapse !== null) throw new ApprovalLapsed(lapse);
    const { hash, ...wire } = await operation.sign(
      draft,
      reserved.slot?.storageId ?? null,
      { baseUrl: network.baseUrl, chainId: network.chainId },
      {
        ...keys,
        async approveByOwner(typedData) {
          const approved = await keys.approveByOwner(typedData);
          // The owner's wallet may have taken minutes.
          await recheck();
          return approved;
        },
      },
    );
    return await journal.markSigned(reserved.id, { wire, hash, publicKey });
  } catch (error) {
    const reason = error instanceof FactsChanged ? error.message : 'no signature left the wallet';
    await journal.markAbandoned(reserved.id, reason);
    throw error;
  }
}

function copiesOf(
  { id, rule, copies = 1, copiesFor = id }: ApprovedRequest,
  { requestId }: Pick<Attempt, 'requestId'>,
) {
  if (rule) return COPIES_WITHIN_LIMITS;
  return requestId === copiesFor ? copies : 1;
}

/**
 * True when the id of a refused request was used by another browser; the cursor is moved past it.
 * If not, the refusal has another reason, such as a client order id that exists, and signing again
 * would not help.
 */
export async function isUsedElsewhere(
  wallet: Pick<Wallet, 'accountKeys' | 'journal' | 'relayers'>,
  record: SubmissionRecord,
  account: StoredAccount,
  network: NetworkView,
): Promise<boolean> {
  if (!isIdTaken(record) || !record.slot) return false;
  const { parity, storageId } = record.slot;
  const { networkId, accountId } = record;
  const known = await wallet.journal.list({ exchangeOf: networkId, accountId });
  let isTaken = false;
  for (const tokenId of slotTokens(record.slot)) {
    const ask = (maxNext: boolean) => nextStorageId(wallet, { tokenId, parity }, account, network, maxNext);
    let next = await ask(true);
    // Ids of other requests of this wallet raise the relayer's counter as well, and say nothing
    // about this one.
    const own = known
      .filter(({ slot, state }) => slot?.parity === parity && slotTokens(slot).includes(tokenId) && state !== 'refused')
      .map(({ slot }) => slot?.storageId ?? 0);
    const explain = (ids: readonly number[]) => ids.some((id) => next <= id + 2);
    const endOfTurn = storageId - storageSlot(storageId) + STORAGE_SLOTS;
    if (next <= storageId || explain(own.filter((id) => id < endOfTurn))) continue;
    // A replacement takes an id of a later turn around the slots, which explains every count. The
    // lowest free id tells then: all below it are used.
    if (explain(own)) next = await ask(false);
    if (next <= storageId) continue;
    // With each refusal a relayer could name another number far ahead.
    await wallet.journal.resyncCursor({ networkId, accountId, tokenId, parity }, next, STORAGE_SLOTS);
    isTaken = true;
  }
  return isTaken;
}
