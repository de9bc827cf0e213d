import { onchainDataHash } from '../../../protocol/payloads/onchainData.ts';
import { applyMovements, OUTSIDE } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import { nftDataEntries } from '../nft/nftEntries.ts';
import { needNft } from '../nft/nftRows.ts';
import { storageIdOf } from '../requestRow.ts';
import { amountMovement, feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';

/**
 * Takes the amount out of L2; it arrives on L1 once the block is confirmed. Tokens and NFTs alike.
 */
export const settleWithdrawal: Settlement = async (relayer, tx, request, block) => {
  await applyMovements(
    tx,
    [
      {
        ...amountMovement(request, OUTSIDE, request.kind),
        ...(request.nft_data && { nftData: request.nft_data }),
      },
      feeMovement(request, block),
    ],
    relayer.clock.now(),
  );
  const token = tokenOf(request.token_id, request.amount, request.nft_data || undefined);
  const nft = request.nft_data === '' ? undefined : await needNft(tx, request.nft_data);
  return [
    ...(nft ? nftDataEntries(nft, request.account_id, request.token_id, request.amount) : []),
    {
      executed: {
        type: 'Withdrawal',
        kind: 0,
        from: BigInt(request.owner),
        accountId: request.account_id,
        tokenId: request.token_id,
        amount: request.amount,
        feeTokenId: request.fee_token_id,
        fee: request.fee,
        storageId: storageIdOf(request),
        onchainDataHash: onchainDataHash({
          minGas: Number(request.details.minGas ?? 0),
          to: request.other_address,
          extraData: String(request.details.extraData ?? '0x'),
        }),
      },
      shown: {
        txType: 'Withdraw',
        accountId: request.account_id,
        owner: request.owner,
        token,
        ...(nft && { nftToken: token }),
        fee: tokenOf(request.fee_token_id, request.fee),
        validUntil: request.valid_until,
        storageId: storageIdOf(request),
        fromAddress: request.owner,
        toAddress: request.other_address,
        valid: true,
      },
    },
  ];
};
