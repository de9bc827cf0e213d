import { DEFAULT_LIMIT, MAX_LIMIT } from '../../protocol/fields.ts';
import { countTrades } from '../engine/marketData/candles.ts';
import { needSelection } from '../engine/marketData/selection.ts';
import { amountsOf, countPoolTrades, readTrades } from '../engine/marketData/trades.ts';
import { priceText } from '../engine/orders/describeOrder.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getAmmTrades: Route<'getAmmTrades'> = {
  handle: async ({ relayer, query }) => {
    const pool = relayer.catalog.pool(query.ammPoolAddress);
    if (!pool)
      throw new Refusal('INVALID_ARGUMENT', `ammPoolAddress: ${query.ammPoolAddress} is no pool of this exchange`);
    const selection = needSelection(relayer, pool.market, true);
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    // Candles count the trades of all pools that the market has had.
    const isOnly = relayer.catalog.pools.every((other) => other === pool || other.market !== pool.market);
    const [totalNum, rows] = await Promise.all([
      isOnly ? countTrades(relayer.histories, selection, [true]) : countPoolTrades(relayer.histories, selection, pool),
      readTrades(relayer.histories, selection, {
        book: false,
        pool: isOnly || pool.address,
        offset: query.offset ?? 0,
        limit,
      }),
    ]);
    const trades = rows.map((row) => {
      const [base, quote] = amountsOf(row);
      return {
        accountId: row.taker_account_id,
        orderHash: row.taker_hash,
        market: pool.market,
        side: row.side,
        size: base.toString(),
        price: priceText(selection.market, base, quote),
        feeAmount: row.taker_fee.toString(),
        createdAt: row.created_at,
      };
    });
    return { totalNum, trades, transactions: trades };
  },
};
