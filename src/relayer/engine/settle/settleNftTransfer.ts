import { applyMovements } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import { OPERATOR_ACCOUNT_ID } from '../catalog.ts';
import { takeNftSlot } from '../nft/nftRows.ts';
import { checkSlotRoom } from '../nft/slotRoom.ts';
import type { Settlement } from './settlement.ts';
import { openPayee } from './settleTransfer.ts';

/** Moves an NFT from the sender's slot into the receiver's. */
export const settleNftTransfer: Settlement = async (relayer, tx, request) => {
  const payeeId = await openPayee(relayer, tx, request);
  const toTokenId = await takeNftSlot(tx, payeeId, request.nft_data);
  await checkSlotRoom(tx, payeeId, toTokenId, request.amount);
  await applyMovements(
    tx,
    [
      {
        from: request.account_id,
        to: payeeId,
        tokenId: request.token_id,
        toTokenId,
        nftData: request.nft_data,
        amount: request.amount,
        frozen: true,
        kind: 'nftTransfer',
        ref: request.hash,
      },
      {
        from: request.account_id,
        to: OPERATOR_ACCOUNT_ID,
        tokenId: request.fee_token_id,
        amount: request.fee,
        frozen: true,
        kind: 'fee',
        ref: request.hash,
      },
    ],
    relayer.clock.now(),
  );
  const token = tokenOf(request.token_id, request.amount, request.nft_data || undefined);
  return [
    {
      txType: 'Transfer',
      accountId: request.account_id,
      owner: request.owner,
      token,
      nftToken: token,
      toToken: tokenOf(toTokenId, request.amount, request.nft_data || undefined),
      fee: tokenOf(request.fee_token_id, request.fee),
      validUntil: request.valid_until,
      toAccountId: payeeId,
      toAccountAddress: request.other_address,
      storageId: request.storage_id ?? 0,
      fromAddress: request.owner,
      toAddress: request.other_address,
      valid: true,
    },
  ];
};
