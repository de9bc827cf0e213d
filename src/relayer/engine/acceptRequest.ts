import type { Hex } from 'viem';
import { formatHash } from '../../protocol/formatHash.ts';
import type { Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { type Account, checkAccepting, lockAccount } from './accounts.ts';
import { changePendingWithdraw, freeze } from './balances.ts';
import { lockOpenBlock, OpenBlock } from './blocks.ts';
import { InjectedFault } from './faults.ts';
import { insertRow } from './insertRow.ts';
import type { Relayer } from './relayer.ts';
import { findRequest, type RequestDetails, type RequestKind, type RequestRow } from './requestRow.ts';
import { SettlementFailure } from './settle/settlementFailure.ts';
import { settleRequest } from './settle/settleRequest.ts';
import { submissionDigest } from './submissionDigest.ts';
import { checkMeans, takeSlot } from './takeSlot.ts';
import { refuseTrouble } from './trouble.ts';

/** An off-chain request whose signatures and facts were checked. */
export interface RequestDraft {
  readonly kind: RequestKind;
  readonly hash: bigint;
  readonly body: unknown;
  /** Other account (payee, recipient); 0 when it is found or made at settlement. */
  readonly otherAccountId?: number;
  readonly otherAddress?: string;
  readonly tokenId: number;
  readonly nftData?: string;
  readonly amount: bigint;
  readonly feeTokenId: number;
  readonly fee: bigint;
  /** Storage ids that it consumes, with the tokens of their counters. */
  readonly storage: readonly { readonly tokenId: number; readonly storageId: number }[];
  /** Frozen until settlement. */
  readonly hold: readonly { readonly tokenId: number; readonly amount: bigint }[];
  readonly nonce?: number;
  /** seconds */
  readonly validUntil: number;
  readonly memo?: string;
  readonly details?: RequestDetails;
  /** Settled in the transaction that accepts it, so that it is never accepted without effect. */
  readonly settledAtOnce?: boolean;
  /**
   * A further rule inside the transaction, after the account is locked and whatever lost its slot
   * was voided.
   */
  readonly within?: (tx: Sql, account: Account) => Promise<void>;
}

interface MovingBody {
  readonly maxFee: { readonly tokenId: number };
  readonly storageId: number;
  readonly validUntil: number;
}

/**
 * The part of a draft that a transfer and a withdrawal have in common: an amount leaves, and a fee
 * with it.
 */
export const movedWithFee = (
  { maxFee, storageId, validUntil }: MovingBody,
  tokenId: number,
  amount: bigint,
  fee: bigint,
) => ({
  tokenId,
  amount,
  feeTokenId: maxFee.tokenId,
  fee,
  storage: [{ tokenId, storageId }],
  hold: [
    { tokenId, amount },
    { tokenId: maxFee.tokenId, amount: fee },
  ],
  validUntil,
});

export interface RequestAck {
  readonly hash: Hex;
  readonly status: RequestRow['status'];
  readonly isIdempotent: boolean;
}

/**
 * The answer of a submission that is already held, before any check that time could have changed.
 */
export async function heldRequest(
  relayer: Relayer,
  hash: bigint,
  body: unknown,
): Promise<{ readonly ack: RequestAck; readonly request: RequestRow } | undefined> {
  const request = await findRequest(relayer.db, formatHash(hash));
  return request?.digest === submissionDigest(body)
    ? { ack: { hash: request.hash, status: request.status, isIdempotent: true }, request }
    : undefined;
}

/**
 * The one way in for every off-chain request: in one transaction lock the account, see that its key
 * is still the checked one, reserve the storage slots, freeze, record. The engine settles it later,
 * unless `settledAtOnce`.
 * @throws {Refusal} NONCE_INVALID or STORAGE_ID_INVALID for the storage id, BALANCE_INSUFFICIENT or
 *   FREEZE_FAILED for the balance, SIGNATURE_WRONG after a key change.
 */
export async function acceptRequest(relayer: Relayer, checked: Account, draft: RequestDraft): Promise<RequestAck> {
  if (draft.settledAtOnce)
    for (const slot of draft.storage)
      await checkMeans(relayer.db, checked.accountId, slot, formatHash(draft.hash), draft.amount);
  const ack = await relayer.db
    .transaction(async (tx) => {
      if (draft.settledAtOnce) await lockOpenBlock(tx);
      return recordRequest(relayer, tx, checked, draft);
    })
    .catch((error) => asFreezeFailure(relayer, error));
  relayer.wake();
  return ack;
}

/** Turns the failure of a submission's transaction into its answer. */
export function asFreezeFailure(relayer: Relayer, error: unknown): never {
  if (error instanceof SettlementFailure) throw new Refusal('INVALID_ARGUMENT', error.message);
  if (error instanceof InjectedFault) throw new Refusal('FREEZE_FAILED');
  return refuseTrouble(relayer, error, 'FREEZE_FAILED');
}

/**
 * The same inside a transaction that the caller opened; for `settledAtOnce` under the engine's
 * lock.
 */
export async function recordRequest(
  relayer: Relayer,
  tx: Sql,
  checked: Account,
  draft: RequestDraft,
): Promise<RequestAck> {
  const hash = formatHash(draft.hash);
  const digest = submissionDigest(draft.body);
  const now = relayer.clock.now();
  const account = await lockAccount(tx, checked.accountId);
  const known = await findRequest(tx, hash);
  if (known?.digest === digest) return { hash, status: known.status, isIdempotent: true };
  if (!account || account.keyNonce !== checked.keyNonce)
    throw new Refusal('SIGNATURE_WRONG', 'the account got another key while the request was checked');
  if (known) throw new Refusal('NONCE_INVALID', 'this request is held already, with other unsigned fields');
  checkAccepting(account);
  for (const slot of draft.storage) await takeSlot(tx, account.accountId, slot, hash, now);
  await draft.within?.(tx, account);
  relayer.faults.pass('freeze');
  const hold = draft.hold.filter(({ amount }) => amount > 0n);
  for (const { tokenId, amount } of hold) await freeze(tx, account.accountId, tokenId, amount);
  if (draft.kind === 'withdrawal' || draft.kind === 'nftWithdrawal')
    await changePendingWithdraw(tx, account.accountId, draft.tokenId, draft.amount);
  const [first] = draft.storage;
  const details: RequestDetails = {
    ...draft.details,
    held: hold.map(({ tokenId, amount }) => ({ tokenId, amount: amount.toString() })),
  };
  const request = await insertRow<RequestRow>(tx, 'requests', {
    kind: draft.kind,
    hash,
    account_id: account.accountId,
    owner: account.owner,
    other_account_id: draft.otherAccountId ?? 0,
    other_address: draft.otherAddress?.toLowerCase() ?? '',
    token_id: draft.tokenId,
    nft_data: draft.nftData?.toLowerCase() ?? '',
    amount: draft.amount,
    fee_token_id: draft.feeTokenId,
    fee: draft.fee,
    storage_token_id: first?.tokenId ?? 0,
    storage_id: first?.storageId ?? null,
    nonce: draft.nonce ?? null,
    valid_until: draft.validUntil,
    status: 'received',
    memo: draft.memo ?? '',
    details: JSON.stringify(details),
    digest,
    created_at: now,
    updated_at: now,
  });
  if (!draft.settledAtOnce) return { hash, status: 'received', isIdempotent: false };
  const block = await OpenBlock.take(tx, now);
  await settleRequest(relayer, tx, block, request, now);
  await block.close();
  return { hash, status: 'processing', isIdempotent: false };
}
