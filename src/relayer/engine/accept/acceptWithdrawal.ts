import type { z } from 'zod';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import type { submitWithdrawal } from '../../../protocol/endpoints/submitWithdrawal.ts';
import { withdrawalHash } from '../../../protocol/payloads/withdrawal.ts';
import { withdrawalTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, movedWithFee, type RequestAck } from '../acceptRequest.ts';
import type { Account } from '../accounts.ts';
import type { Token } from '../catalog.ts';
import { checkBothSignatures } from '../checkApprovals.ts';
import { checkFastRoom, type FastState, fastLimit } from '../fastWithdrawals.ts';
import { feeToCharge, quoteFee } from '../fees.ts';
import { payoutData } from '../payoutData.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline, checkKnown } from '../requestChecks.ts';

type Body = z.output<typeof submitWithdrawal.body>;

/** Accepts a withdrawal to L1, also of a delisted token. Its amount is executed exactly. */
export async function acceptWithdrawal(
  relayer: Relayer,
  account: Account,
  body: Body,
  headerSignature: string | undefined,
): Promise<RequestAck> {
  const hash = withdrawalHash(body);
  const held = await heldRequest(relayer, hash, body);
  if (held) return held.ack;
  await checkBothSignatures(relayer, account, body, {
    owner: body.owner,
    ownerField: 'owner',
    message: hash,
    typedData: withdrawalTypedData(relayer.config.chainId, body),
    headerSignature,
  });
  const payout = payoutData(body);
  const token = checkKnown(relayer, body.token.tokenId);
  // Nothing brings them back, and without them their part of the pool stays there for good.
  if (token.type === 'LP')
    throw new Refusal('TOKEN_UNSUPPORTED', `token: ${token.symbol} is a share of a pool; leave the pool by an exit`);
  const amount = BigInt(body.token.volume);
  if (amount === 0n) throw new Refusal('INVALID_ARGUMENT', 'token.volume is zero');
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  const fast = body.fastWithdrawalMode === true;
  if (fast && fastLimit(relayer, token) === 0n)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `fastWithdrawalMode: ${token.symbol} is not paid out ahead of its block here; leave the mode out`,
    );
  if (fast && body.maxFee.tokenId !== body.token.tokenId)
    throw new Refusal('FEE_TOKEN_INCONSISTENT', 'maxFee: a fast withdrawal is paid in the token that is withdrawn');
  const fee = await feeToCharge(
    relayer,
    account.owner,
    fast ? feeRequestTypes.FAST_WITHDRAWAL : feeRequestTypes.WITHDRAWAL,
    {
      tokenId: body.maxFee.tokenId,
      amount: BigInt(body.maxFee.volume),
    },
  );
  return acceptRequest(relayer, account, {
    kind: 'withdrawal',
    hash,
    body,
    ...movedWithFee(body, token.tokenId, amount, fee),
    otherAddress: body.to,
    ...(fast && { within: (tx) => checkFastRoom(relayer, tx, token, amount) }),
    details: { ...(fast && (await promise(relayer, account.owner, token, fee))), ...payout },
  });
}

/**
 * Promises a fast withdrawal: the part of the fee above the usual one goes back when the promise is
 * not kept.
 */
async function promise(relayer: Relayer, owner: string, token: Token, fee: bigint) {
  const usual = await quoteFee(relayer, feeRequestTypes.WITHDRAWAL, token, owner);
  const state: FastState = 'ahead';
  return { fast: state, surcharge: (fee > usual ? fee - usual : 0n).toString() };
}
