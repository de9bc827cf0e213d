import { DEFAULT_LIMIT, MAX_LIMIT, splitList } from '../../protocol/fields.ts';
import { countTrades } from '../engine/marketData/candles.ts';
import { findSelection } from '../engine/marketData/selection.ts';
import { describeTrade, readTrades } from '../engine/marketData/trades.ts';
import type { Route } from '../server/route.ts';

export const getTrades: Route<'getTrades'> = {
  handle: async ({ relayer, query }) => {
    const selection = findSelection(relayer, query.market, true);
    // A market that nobody lists has no trades: what the field answers.
    if (!selection) return { totalNum: 0, trades: [] };
    const kinds = query.fillTypes === undefined ? ['dex', 'amm'] : splitList(query.fillTypes);
    const book = selection.book && kinds.includes('dex');
    const pool = selection.pool && kinds.includes('amm');
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    const [totalNum, trades] = await Promise.all([
      countTrades(relayer.histories, selection, [...(book ? [false] : []), ...(pool ? [true] : [])]),
      readTrades(relayer.histories, selection, { book, pool, limit }),
    ]);
    return { totalNum, trades: trades.map((trade) => describeTrade(selection, trade)) };
  },
};
