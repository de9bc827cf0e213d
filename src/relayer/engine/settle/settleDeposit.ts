import { applyMovements, OUTSIDE } from '../balances.ts';
import { depositEntry } from '../blocks.ts';
import { nftDepositEntries } from '../nft/nftEntries.ts';
import { needNft } from '../nft/nftRows.ts';
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
  if (request.nft_data === '')
    return [depositEntry(request.account_id, request.owner, request.token_id, request.amount, request.other_address)];
  await tx.query('UPDATE nfts SET minted = true WHERE nft_data = $1', [request.nft_data]);
  const nft = await needNft(tx, request.nft_data);
  return nftDepositEntries(tx, nft, request, relayer.clock.now());
};
