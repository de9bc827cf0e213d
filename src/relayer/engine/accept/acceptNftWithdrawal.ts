import type { z } from 'zod';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import type { withdrawNft } from '../../../protocol/endpoints/withdrawNft.ts';
import { nftWithdrawalHash } from '../../../protocol/payloads/nftWithdrawal.ts';
import { withdrawalTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, movedWithFee, type RequestAck } from '../acceptRequest.ts';
import type { Account } from '../accounts.ts';
import { checkBothSignatures } from '../checkApprovals.ts';
import { feeToCharge } from '../fees.ts';
import { checkNftToken } from '../nft/checkNftToken.ts';
import { needNft } from '../nft/nftRows.ts';
import { payoutData } from '../payoutData.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline } from '../requestChecks.ts';
import { askL1 } from '../signatures.ts';

type Body = z.output<typeof withdrawNft.body>;

/** Accepts an NFT withdrawal, which needs the NFT's contract to exist on L1. */
export async function acceptNftWithdrawal(
  relayer: Relayer,
  account: Account,
  body: Body,
  headerSignature: string | undefined,
): Promise<RequestAck> {
  const hash = nftWithdrawalHash(body);
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
  const { nftData, amount } = await checkNftToken(relayer, account, body.token);
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  const nft = await needNft(relayer.db, nftData);
  if ((await askL1(relayer, () => relayer.l1.getCode(nft.token_address))) === '0x')
    throw new Refusal(
      'INVALID_ARGUMENT',
      `the contract ${nft.token_address} is not deployed; deploy it before withdrawing`,
    );
  const fee = await feeToCharge(relayer, account.owner, feeRequestTypes.NFT_WITHDRAWAL, {
    tokenId: body.maxFee.tokenId,
    amount: BigInt(body.maxFee.amount),
  });
  return acceptRequest(relayer, account, {
    kind: 'nftWithdrawal',
    hash,
    body,
    ...movedWithFee(body, body.token.tokenId, amount, fee),
    otherAddress: body.to,
    nftData,
    details: { ...payout },
  });
}
