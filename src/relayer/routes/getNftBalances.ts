import { canonicalHash, type NftRow, nftTypeNames } from '../engine/nft/nftRows.ts';
import { listed, page } from '../engine/page.ts';
import type { Route } from '../server/route.ts';

interface Row extends NftRow {
  readonly token_id: number;
  readonly total: bigint;
  readonly locked: bigint;
  readonly pending_withdraw: bigint;
  readonly pending_deposit: bigint;
}

/** Slots with their NFTs; a slot without a balance row was minted but not settled yet. */
const SLOTS = `(SELECT s.account_id, s.token_id, n.*, c.status, coalesce(b.total, 0) AS total, coalesce(b.locked, 0) AS locked,
    coalesce(b.pending_withdraw, 0) AS pending_withdraw, coalesce(b.pending_deposit, 0) AS pending_deposit
  FROM nft_slots s JOIN nfts n USING (nft_data) JOIN nft_contracts c ON c.address = n.token_address
  LEFT JOIN balances b ON b.account_id = s.account_id AND b.token_id = s.token_id) AS slots`;

export const getNftBalances: Route<'getNftBalances'> = {
  handle: async ({ relayer, query, account: { accountId } }) => {
    const { totalNum, rows } = await relayer.historiesOf(accountId, (histories) =>
      page<Row>(
        histories,
        [[SLOTS, 'account_id']],
        accountId,
        [
          ['nft_data = ANY(?::text[])', listed(query.nftDatas)?.map(canonicalHash)],
          ['token_address = ANY(?::text[])', listed(query.tokenAddrs?.toLowerCase())],
          ['token_id = ANY(?::bigint[])', listed(query.tokenIds)?.map(Number)],
          ['?::boolean AND total + pending_withdraw + pending_deposit > 0', query.nonZero === false ? undefined : true],
        ],
        ['token_id', 'ASC'],
        query,
      ),
    );
    return {
      totalNum,
      data: rows.map((row) => ({
        accountId,
        tokenId: row.token_id,
        nftData: row.nft_data,
        tokenAddress: row.token_address,
        nftId: row.nft_id,
        nftType: nftTypeNames[row.nft_type] ?? 'ERC1155',
        total: row.total.toString(),
        locked: row.locked.toString(),
        pending: { withdraw: row.pending_withdraw.toString(), deposit: row.pending_deposit.toString() },
        deploymentStatus: row.status,
        isCounterFactualNFT: row.minter !== row.token_address,
        minter: row.minter,
      })),
    };
  },
};
