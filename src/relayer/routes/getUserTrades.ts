import { canonicalHash } from '../engine/nft/nftRows.ts';
import { priceText } from '../engine/orders/describeOrder.ts';
import { listed, page, type Source } from '../engine/page.ts';
import type { Route } from '../server/route.ts';

interface Row {
  readonly id: number;
  readonly created_at: number;
  readonly market: string;
  readonly side: 'BUY' | 'SELL';
  readonly sold: bigint;
  readonly bought: bigint;
  readonly fee: bigint;
  readonly block_id: number;
  readonly index_in_block: number;
  readonly token_s: number;
  readonly storage_id: number;
  readonly hash: string;
  readonly role: 'taker' | 'maker';
}

const side = (role: 'taker' | 'maker', sold: string, bought: string): Source => [
  `(SELECT f.id, f.created_at, f.market, f.block_id, f.index_in_block, o.side, o.token_s, o.storage_id, o.hash,
     f.pool_address, '${role}' AS role, f.${role}_account_id AS account_id, f.${sold} AS sold, f.${bought} AS bought,
     CASE WHEN f.pool_address IS NULL THEN f.${role}_fee ELSE 0 END AS fee
   FROM fills f JOIN orders o ON o.hash = f.${role}_hash) AS trades`,
  'account_id',
];

/**
 * Trades of an account as rows. The part that a pool keeps belongs to the price and is no fee of
 * its taker. Each fill once for the taker's order and, in the book, once for the maker's.
 */
const TRADES = [side('taker', 'taker_sold', 'taker_bought'), side('maker', 'taker_bought', 'taker_sold')];

export const getUserTrades: Route<'getUserTrades'> = {
  handle: async ({ relayer, query, account: { accountId } }) => {
    const { totalNum, rows } = await relayer.historiesOf(accountId, (histories) =>
      page<Row>(
        histories,
        TRADES,
        accountId,
        [
          ['upper(market) = ?', query.market?.toUpperCase()],
          ['(pool_address IS NOT NULL) = ANY(?::bool[])', listed(query.fillTypes)?.map((type) => type === 'amm')],
          ['hash = ?', query.orderHash && canonicalHash(query.orderHash)],
        ],
        ['id', 'DESC'],
        query,
      ),
    );
    return {
      totalNum,
      trades: rows.map((row) => {
        const market = relayer.catalog.market(row.market);
        const [base, quote] = row.side === 'SELL' ? [row.sold, row.bought] : [row.bought, row.sold];
        return [
          String(row.created_at),
          String(row.id),
          row.side,
          base.toString(),
          market ? priceText(market, base, quote) : '0',
          row.market,
          row.fee.toString(),
          String(row.block_id),
          String(row.index_in_block),
          String(accountId),
          String(row.token_s),
          String(row.storage_id),
          row.hash,
          row.role,
        ];
      }),
    };
  },
};
