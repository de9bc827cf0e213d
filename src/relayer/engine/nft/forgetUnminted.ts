import { MIN_NFT_TOKEN_ID } from '../../../protocol/limits.ts';
import type { Sql } from '../../db/port.ts';

/**
 * A mint that failed leaves neither its NFT nor its slot behind, unless another request needs them.
 */
export async function forgetUnminted(tx: Sql, accountId: number, tokenId: number, nftData: string): Promise<void> {
  await tx.query(
    `DELETE FROM nft_slots WHERE account_id = $1 AND token_id = $2 AND nft_data = $3
       AND NOT EXISTS (SELECT 1 FROM ledger WHERE account_id = $1 AND token_id = $2 AND token_id >= ${MIN_NFT_TOKEN_ID})
       AND NOT EXISTS (SELECT 1 FROM requests WHERE account_id = $1 AND token_id = $2 AND nft_data = $3
         AND status IN ('received', 'processing'))`,
    [accountId, tokenId, nftData],
  );
  await tx.query(
    `DELETE FROM nfts WHERE nft_data = $1 AND NOT minted
       AND NOT EXISTS (SELECT 1 FROM nft_slots WHERE nft_slots.nft_data = nfts.nft_data)`,
    [nftData],
  );
}
