import { applyMovements } from '../balances.ts';
import { takeNftSlot } from '../nft/nftRows.ts';
import { storageIdOf } from '../requestRow.ts';
import { transferEntry } from '../transferEntry.ts';
import { amountMovement, feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';
import { openPayee } from './settleTransfer.ts';

/** Moves an NFT from the sender's slot into the receiver's. */
export const settleNftTransfer: Settlement = async (relayer, tx, request, block) => {
  const { payeeId, fee } = await openPayee(relayer, tx, request);
  const toTokenId = await takeNftSlot(tx, payeeId, request.nft_data);
  await applyMovements(
    tx,
    [
      { ...amountMovement(request, payeeId, 'nftTransfer'), toTokenId, nftData: request.nft_data },
      { ...feeMovement(request, block), amount: fee },
    ],
    relayer.clock.now(),
  );
  return [
    transferEntry({
      from: { accountId: request.account_id, owner: request.owner },
      to: { accountId: payeeId, owner: request.other_address },
      tokenId: request.token_id,
      toTokenId,
      nftData: request.nft_data,
      amount: request.amount,
      feeTokenId: request.fee_token_id,
      fee,
      storageId: storageIdOf(request),
      validUntil: request.valid_until,
    }),
  ];
};
