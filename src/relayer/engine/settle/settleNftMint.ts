import { applyMovements, MINTS } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import { contractAccount, nftTokenOf, nftTypeOf } from '../nft/nftEntries.ts';
import { needNft } from '../nft/nftRows.ts';
import { storageIdOf } from '../requestRow.ts';
import { feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';

/** Puts the minted amount into the minter's slot. */
export const settleNftMint: Settlement = async (relayer, tx, request, block) => {
  const nft = await needNft(tx, request.nft_data);
  await tx.query('UPDATE nfts SET minted = true WHERE nft_data = $1', [nft.nft_data]);
  await applyMovements(
    tx,
    [
      {
        from: MINTS,
        to: request.account_id,
        tokenId: request.token_id,
        nftData: nft.nft_data,
        amount: request.amount,
        frozen: false,
        kind: 'nftMint',
        ref: request.hash,
      },
      feeMovement(request, block),
    ],
    relayer.clock.now(),
  );
  const contract = await contractAccount(tx, nft.token_address, relayer.clock.now());
  return [
    ...contract.opening,
    {
      executed: {
        type: 'NftMint',
        kind: 0,
        minterId: request.account_id,
        toTokenId: request.token_id,
        feeTokenId: request.fee_token_id,
        fee: request.fee,
        amount: request.amount,
        storageId: storageIdOf(request),
        nftType: nft.nft_type,
        tokenAccountId: contract.accountId,
        nftId: BigInt(nft.nft_id),
        creatorFeeBips: nft.creator_fee_bips,
      },
      shown: {
        txType: 'NftMint',
        accountId: request.account_id,
        owner: request.owner,
        minterAccountId: request.account_id,
        minter: nft.minter,
        nftToken: nftTokenOf(nft, request.token_id, request.amount),
        nftType: nftTypeOf(nft),
        fee: tokenOf(request.fee_token_id, request.fee),
        validUntil: request.valid_until,
        toAccountId: request.account_id,
        toAccountAddress: request.owner,
        storageId: storageIdOf(request),
        valid: true,
      },
    },
  ];
};
