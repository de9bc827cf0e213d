import { applyMovements, MINTS } from '../balances.ts';
import { type BlockToken, tokenOf } from '../blocks.ts';
import { contractAccount } from '../nft/nftEntries.ts';
import { findNft } from '../nft/nftRows.ts';
import { storageIdOf } from '../requestRow.ts';
import { feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

/** Puts the minted amount into the minter's slot. */
export const settleNftMint: Settlement = async (relayer, tx, request, block) => {
  const nft = await findNft(tx, request.nft_data);
  if (!nft) throw new SettlementFailure('the NFT is unknown');
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
  const nftToken: BlockToken = {
    tokenId: request.token_id,
    tokenAddress: nft.token_address,
    nftData: nft.nft_data,
    nftId: nft.nft_id,
    amount: request.amount.toString(),
  };
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
        nftToken,
        nftType: 'eip1155',
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
