import type { ProvenNft } from './nftData.ts';
import type { RollupState } from './state.ts';
import type { Transaction } from './transactions.ts';

/**
 * The NFTs whose identity a block tells: those that it mints, and those that an NftData pair
 * describes. Needed to prove their slots, which hold only the hash.
 * @param state - The state after the block.
 */
export function nftsOf(transactions: readonly Transaction[], state: RollupState): ProvenNft[] {
  return transactions.flatMap((transaction, index): ProvenNft[] => {
    const { type } = transaction;
    if (type === 'NftMint') {
      const { minterId, tokenAccountId, nftType, nftId, creatorFeeBips } = transaction;
      const owner = (accountId: number) => state.account(accountId).owner;
      return [{ minter: owner(minterId), nftType, token: owner(tokenAccountId), nftID: nftId, creatorFeeBips }];
    }
    const next = transactions[index + 1];
    if (type !== 'NftData' || transaction.kind !== 0 || next?.type !== 'NftData') return [];
    const { address: minter, nftType, nftId: nftID, creatorFeeBips } = transaction;
    return [{ minter, nftType, token: next.address, nftID, creatorFeeBips }];
  });
}
