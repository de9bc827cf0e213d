import type { z } from 'zod';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import type { submitTransfer } from '../../../protocol/endpoints/submitTransfer.ts';
import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { transferHash } from '../../../protocol/payloads/transfer.ts';
import { transferTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, movedWithFee, type RequestAck } from '../acceptRequest.ts';
import type { Account } from '../accounts.ts';
import { checkBothSignatures } from '../checkApprovals.ts';
import { feeToCharge } from '../fees.ts';
import { activationPaid, checkPaysActivation, findPayee } from '../payees.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline, checkListed } from '../requestChecks.ts';

type Body = z.output<typeof submitTransfer.body>;

/**
 * Accepts a token transfer. The executed amount is the signed one rounded down to the block's
 * 24-bit float.
 */
export async function acceptTransfer(
  relayer: Relayer,
  account: Account,
  body: Body,
  headerSignature: string | undefined,
): Promise<RequestAck> {
  const hash = transferHash(body);
  const held = await heldRequest(relayer, hash, body);
  if (held) return held.ack;
  await checkBothSignatures(relayer, account, body, {
    owner: body.payerAddr,
    ownerField: 'payerAddr',
    message: hash,
    typedData: transferTypedData(relayer.config.chainId, body),
    headerSignature,
  });
  const token = checkListed(relayer, body.token.tokenId);
  const amount = roundToFloat(BigInt(body.token.volume), Float24);
  if (amount === 0n) throw new Refusal('INVALID_ARGUMENT', 'token.volume is zero');
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  const payee = await findPayee(relayer, account, body.payeeId, body.payeeAddr);
  if (body.payPayeeUpdateAccount) checkPaysActivation(payee);
  const fee = await feeToCharge(
    relayer,
    account.owner,
    body.payPayeeUpdateAccount ? feeRequestTypes.TRANSFER_AND_ACTIVATE : feeRequestTypes.TRANSFER,
    { tokenId: body.maxFee.tokenId, amount: BigInt(body.maxFee.volume) },
  );
  return acceptRequest(relayer, account, {
    kind: 'transfer',
    hash,
    body,
    ...movedWithFee(body, token.tokenId, amount, fee),
    otherAccountId: payee?.accountId ?? 0,
    otherAddress: body.payeeAddr,
    memo: body.memo ?? '',
    details: {
      ...(await activationPaid(relayer, account, body, feeRequestTypes.TRANSFER)),
      requested: body.token.volume,
    },
  });
}
