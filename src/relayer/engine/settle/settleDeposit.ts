import { applyMovements, OUTSIDE } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import type { Settlement } from './settlement.ts';

/** Credits what arrived from L1. Tokens and NFTs alike. */
export const settleDeposit: Settlement = async (relayer, tx, request) => {
  await applyMovements(
    tx,
    [
      {
        from: OUTSIDE,
        to: request.account_id,
        tokenId: request.token_id,
        ...(request.nft_data && { nftData: request.nft_data }),
        amount: request.amount,
        frozen: false,
        kind: request.kind,
        ref: request.hash,
      },
    ],
    relayer.clock.now(),
  );
  await tx.query('UPDATE balances SET pending_deposit = pending_deposit - $3 WHERE account_id = $1 AND token_id = $2', [
    request.account_id,
    request.token_id,
    request.amount,
  ]);
  if (request.nft_data) await tx.query('UPDATE nfts SET minted = true WHERE nft_data = $1', [request.nft_data]);
  const token = tokenOf(request.token_id, request.amount, request.nft_data || undefined);
  return [
    {
      txType: 'Deposit',
      accountId: request.account_id,
      owner: request.owner,
      token,
      ...(request.nft_data && { nftToken: token }),
      toAccountId: request.account_id,
      toAccountAddress: request.owner,
      fromAddress: request.other_address,
      toAddress: request.owner,
      valid: true,
    },
  ];
};
