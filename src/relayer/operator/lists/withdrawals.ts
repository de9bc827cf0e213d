import { nftTypeNames } from '../../engine/nft/nftRows.ts';
import { UNPAID } from '../../engine/payouts.ts';
import type { RequestRow } from '../../engine/requestRow.ts';
import type { OperatorList } from '../operatorList.ts';

type Row = RequestRow & {
  readonly block_id: number;
  readonly index_in_block: number;
  readonly block_status: string;
  readonly suspended: boolean;
  readonly token_address: string | null;
  readonly nft_id: string | null;
  readonly nft_type: number | null;
};

/** More than the transactions of a block, so that one number can name a place in the blocks. */
const PLACES = 1_000_000;

/**
 * Withdrawals that wait for their payout, with everything that a payout needs. They are numbered by
 * their place in the blocks, which is given under the engine's lock: whatever is settled later
 * stands at the end, whenever it was accepted.
 */
export const withdrawals: OperatorList = {
  summary: 'withdrawals that are settled and neither paid nor given back',
  rows: async ({ db, catalog }, { after, limit }) => {
    const rows = await db.query<Row>(
      `SELECT requests.*, blocks.status AS block_status, accounts.suspended, nfts.token_address, nfts.nft_id, nfts.nft_type
       FROM requests JOIN blocks USING (block_id) JOIN accounts USING (account_id)
       LEFT JOIN nfts ON requests.nft_data <> '' AND nfts.nft_data = requests.nft_data
       WHERE ${UNPAID} AND (requests.block_id, requests.index_in_block) > ($1::bigint, $2::int)
       ORDER BY requests.block_id, requests.index_in_block LIMIT $3`,
      [Math.floor(after / PLACES), after % PLACES, limit],
    );
    return rows.map((row) => ({
      number: row.block_id * PLACES + row.index_in_block,
      hash: row.hash,
      accountId: row.account_id,
      owner: row.owner,
      recipient: row.other_address || row.owner,
      ...(row.nft_data
        ? { nftType: nftTypeNames[row.nft_type ?? 0], tokenAddress: row.token_address, nftId: row.nft_id }
        : { symbol: catalog.token(row.token_id)?.symbol, tokenAddress: catalog.token(row.token_id)?.address }),
      amount: row.amount.toString(),
      minGas: row.details.minGas ?? 0,
      extraData: row.details.extraData ?? '0x',
      fast: row.details.fast === 'ahead',
      suspended: row.suspended,
      blockId: row.block_id,
      blockStatus: row.block_status,
      createdAt: row.created_at,
    }));
  },
};
