import type { z } from 'zod';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import type { transferNft } from '../../../protocol/endpoints/transferNft.ts';
import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { nftTransferHash } from '../../../protocol/payloads/nftTransfer.ts';
import { transferTypedData } from '../../../protocol/typedData.ts';
import { acceptRequest, heldRequest, movedWithFee, type RequestAck } from '../acceptRequest.ts';
import type { Account } from '../accounts.ts';
import { checkBothSignatures } from '../checkApprovals.ts';
import { feeToCharge } from '../fees.ts';
import { checkNftToken } from '../nft/checkNftToken.ts';
import { activationPaid, checkPaysActivation, findPayee } from '../payees.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline } from '../requestChecks.ts';

type Body = z.output<typeof transferNft.body>;

/** Accepts an NFT transfer; the receiver gets the NFT in a slot of its own. */
export async function acceptNftTransfer(
  relayer: Relayer,
  account: Account,
  body: Body,
  headerSignature: string | undefined,
): Promise<RequestAck> {
  const hash = nftTransferHash(body);
  const held = await heldRequest(relayer, hash, body);
  if (held) return held.ack;
  await checkBothSignatures(relayer, account, body, {
    owner: body.fromAddress,
    ownerField: 'fromAddress',
    message: hash,
    typedData: transferTypedData(relayer.config.chainId, body),
    headerSignature,
  });
  const { nftData, amount: signed } = await checkNftToken(relayer, account, body.token);
  const amount = roundToFloat(signed, Float24);
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  const payee = await findPayee(relayer, account, body.toAccountId, body.toAddress);
  if (body.payPayeeUpdateAccount) checkPaysActivation(payee);
  const fee = await feeToCharge(
    relayer,
    account.owner,
    body.payPayeeUpdateAccount ? feeRequestTypes.NFT_TRANSFER_AND_ACTIVATE : feeRequestTypes.NFT_TRANSFER,
    { tokenId: body.maxFee.tokenId, amount: BigInt(body.maxFee.amount) },
  );
  return acceptRequest(relayer, account, {
    kind: 'nftTransfer',
    hash,
    body,
    ...movedWithFee(body, body.token.tokenId, amount, fee),
    otherAccountId: payee?.accountId ?? 0,
    otherAddress: body.toAddress,
    nftData,
    memo: body.memo ?? '',
    details: { ...(await activationPaid(relayer, account, body, feeRequestTypes.NFT_TRANSFER)) },
  });
}
