import { applyMovements, OUTSIDE } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import { OPERATOR_ACCOUNT_ID } from '../catalog.ts';
import type { Settlement } from './settlement.ts';

/** Takes the amount out of L2; it arrives on L1 once the block is confirmed. Tokens and NFTs alike. */
export const settleWithdrawal: Settlement = async (relayer, tx, request) => {
  await applyMovements(
    tx,
    [
      {
        from: request.account_id,
        to: OUTSIDE,
        tokenId: request.token_id,
        ...(request.nft_data && { nftData: request.nft_data }),
        amount: request.amount,
        frozen: true,
        kind: request.kind,
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
      txType: 'Withdraw',
      accountId: request.account_id,
      owner: request.owner,
      token,
      ...(request.nft_data && { nftToken: token }),
      fee: tokenOf(request.fee_token_id, request.fee),
      validUntil: request.valid_until,
      storageId: request.storage_id ?? 0,
      fromAddress: request.owner,
      toAddress: request.other_address,
      valid: true,
    },
  ];
};
