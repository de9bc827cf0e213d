import { canonicalHash } from '../engine/nft/nftRows.ts';
import type { NftTradeRow } from '../engine/nft/tradeNfts.ts';
import { page, type Source } from '../engine/page.ts';
import type { Relayer } from '../engine/relayer.ts';
import type { Route } from '../server/route.ts';

/** Decimals of the printed price. */
const NFT_PRICE_DECIMALS = 8;

const SOURCES: readonly Source[] = [
  ['nft_trades', 'seller_id'],
  ['(SELECT * FROM nft_trades WHERE seller_id <> buyer_id) AS bought', 'buyer_id'],
];

export const getNftTrades: Route<'getNftTrades'> = {
  handle: async ({ relayer, query, account: { accountId } }) => {
    const hash = (text: string | undefined) => (text === undefined ? undefined : canonicalHash(text));
    const { totalNum, rows } = await relayer.historiesOf(accountId, (histories) =>
      page<NftTradeRow>(
        histories,
        SOURCES,
        accountId,
        [
          ['nft_data = ?', hash(query.nftData)],
          ['seller_hash = ? OR buyer_hash = ?', hash(query.orderHash)],
          ['trade_hash = ?', hash(query.tradeHash)],
          ['created_at >= ?', query.start],
          ['created_at <= ?', query.end || undefined],
          [query.isASC ? 'id >= ?' : 'id <= ?', query.startId || undefined],
        ],
        ['id', query.isASC ? 'ASC' : 'DESC'],
        query,
      ),
    );
    return { totalNum, trades: rows.map((row) => rowOf(relayer, row, accountId)) };
  },
};

function rowOf(relayer: Relayer, row: NftTradeRow, accountId: number): string[] {
  const decimals = BigInt(relayer.catalog.token(row.token_id)?.decimals ?? 0);
  const scaled = (row.volume * 10n ** BigInt(NFT_PRICE_DECIMALS)) / (row.amount * 10n ** decimals);
  const digits = scaled.toString().padStart(NFT_PRICE_DECIMALS + 1, '0');
  return [
    row.id,
    row.trade_hash,
    row.seller_hash,
    row.buyer_hash,
    `${digits.slice(0, -NFT_PRICE_DECIMALS)}.${digits.slice(-NFT_PRICE_DECIMALS)}`,
    row.nft_data,
    row.amount,
    accountId === row.seller_id ? row.seller_slot : row.buyer_slot,
    row.token_id,
    row.seller_fee,
    row.buyer_fee,
    row.block_id,
    row.index_in_block,
    row.seller_id,
    row.buyer_id,
    row.seller_storage_id,
    row.buyer_storage_id,
    row.created_at,
    row.submitter_id,
  ].map(String);
}
