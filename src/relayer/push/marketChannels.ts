import { candleIntervals } from '../../protocol/candleIntervals.ts';
import { MAX_PUSHED_SLOTS, PushRefusal, type PushTopic } from '../../protocol/push.ts';
import { describeCandle, readCandles } from '../engine/marketData/candles.ts';
import { DEPTH_LEVELS, readDepth } from '../engine/marketData/depth.ts';
import { findSelection, type Selection } from '../engine/marketData/selection.ts';
import { describeTicker } from '../engine/marketData/ticker.ts';
import { describeTrade, readTrades } from '../engine/marketData/trades.ts';
import { type PoolState, readPool } from '../engine/pools/poolState.ts';
import type { Relayer } from '../engine/relayer.ts';
import { BookView } from './bookView.ts';

export type MarketTopic = Exclude<PushTopic, { topic: 'account' | 'order' }>;

/**
 * Source of a topic: the data to read, which topics of the same kind share, and the part that a
 * subscriber is told.
 */
export interface MarketTopicPlan {
  /** Market whose changes concern it. */
  readonly market: string;
  /** Topics with the same source are read together. */
  readonly source: string;
  /** Whether the data changes with each minute too. */
  readonly ages?: true;
  read(): Promise<unknown>;
  /** @param value - What was read first. */
  view(value: never): MarketView;
}

export interface MarketView {
  /** Told at the subscription; nothing when subscribers begin with REST. */
  first(): object | undefined;
  /** Told after a change, in this order. */
  next(value: never): readonly object[];
}

/** Trades that are told at most after one poll; more in so short a time are found by REST. */
const MOST_TRADES = 1_000;

/**
 * How a public topic is read and told.
 * @throws {PushRefusal} There is no such market, level or pool.
 */
export function planOf(relayer: Relayer, topic: MarketTopic): MarketTopicPlan {
  switch (topic.topic) {
    case 'orderbook':
    case 'mixorder':
      return bookPlan(relayer, topic);
    case 'trade':
    case 'mixtrade':
      return tradePlan(relayer, topic);
    case 'ticker': {
      const select = () => need(relayer, topic.market, 'TICKER_INVALID', true);
      const { market, name } = select();
      return {
        market: market.market,
        source: `ticker ${name}`,
        ages: true,
        // The moment of the answer is not what changes, but its minute is: a client may have read a
        // best price that came and went between two looks.
        read: async () => {
          const row = (await describeTicker(relayer, select(), true)).slice(0, 11);
          return row.with(1, String(Math.floor(Number(row[1]) / candleIntervals['1min'])));
        },
        view: (first: string[]) => {
          let told = first;
          const content = () => ({ data: told.with(1, String(relayer.clock.now())) });
          return {
            first: content,
            next: (row: string[]) => {
              if (row.join() === told.join()) return [];
              told = row;
              return [content()];
            },
          };
        },
      };
    }
    case 'candlestick': {
      const select = () => need(relayer, topic.market, 'CANDLESTICK_INVALID', true);
      const { market, name } = select();
      return {
        market: market.market,
        source: `candlestick ${name} ${topic.interval}`,
        // The running candle, and the one before, of which the last trade may not have been told.
        read: async () => {
          const selection = select();
          const candles = await readCandles(relayer.histories, selection, candleIntervals[topic.interval], {
            limit: 2,
          });
          return candles.map((candle) => JSON.stringify(describeCandle(selection, candle))).reverse();
        },
        view: (first: string[]) => {
          let told = first;
          return {
            first: () => undefined,
            next: (candles: string[]) => {
              const changed = candles.filter((candle) => !told.includes(candle));
              told = candles;
              return changed.map((candle) => ({ data: JSON.parse(candle) }));
            },
          };
        },
      };
    }
    case 'ammpool': {
      const pool = relayer.catalog.pool(topic.poolAddress);
      const market = pool && relayer.catalog.marketOf(pool.tokens[0].tokenId, pool.tokens[1].tokenId);
      if (!pool || !market) throw new PushRefusal('AMMPOOL_INVALID', `ammpool: there is no pool ${topic.poolAddress}`);
      return {
        market: market.market,
        source: `ammpool ${pool.address}`,
        read: () => readPool(relayer.histories, pool),
        view: (first: PoolState) => {
          let told = first;
          const content = () => ({ data: [told.reserves.map(String), told.supply.toString()] });
          return {
            first: content,
            // Amounts that changed and came back are told too, as those of balances are.
            next: (now: PoolState) => {
              if (now.writtenBy === told.writtenBy) return [];
              told = now;
              return [content()];
            },
          };
        },
      };
    }
  }
}

function need(
  relayer: Relayer,
  name: string,
  reason: 'TRADE_INVALID' | 'TICKER_INVALID' | 'CANDLESTICK_INVALID' | 'ORDERBOOK_INVALID',
  withPools: boolean,
): Selection {
  const selection = findSelection(relayer, name, withPools);
  if (!selection) throw new PushRefusal(reason, `market: there is no market ${name}`);
  return selection;
}

function bookPlan(relayer: Relayer, topic: Extract<MarketTopic, { topic: 'orderbook' | 'mixorder' }>): MarketTopicPlan {
  const mixed = topic.topic === 'mixorder';
  const select = () => need(relayer, topic.market, 'ORDERBOOK_INVALID', mixed);
  const { market, name } = select();
  const { level } = topic;
  if (level >= DEPTH_LEVELS) throw new PushRefusal('ORDERBOOK_INVALID', `level: the coarsest is ${DEPTH_LEVELS - 1}`);
  const showOverlap = topic.topic === 'mixorder' && topic.showOverlap === true;
  const whole = topic.snapshot === true;
  return {
    market: market.market,
    source: `${topic.topic} ${name} ${level} ${showOverlap}`,
    read: () => readDepth(relayer.histories, select(), mixed, { level, limit: MAX_PUSHED_SLOTS, showOverlap }),
    view: (depth) => {
      const view = new BookView(depth, topic.count ?? MAX_PUSHED_SLOTS, whole);
      return { first: () => (whole ? view.whole() : undefined), next: (now) => view.next(now) };
    },
  };
}

/** Trades of the book, or of book and pool. */
function tradePlan(relayer: Relayer, topic: Extract<MarketTopic, { topic: 'trade' | 'mixtrade' }>): MarketTopicPlan {
  const mixed = topic.topic === 'mixtrade';
  const select = () => need(relayer, topic.market, 'TRADE_INVALID', mixed);
  const { market, name } = select();
  let last: number | undefined;
  return {
    market: market.market,
    source: `${topic.topic} ${name}`,
    read: async () => {
      const selection = select();
      const read = (after: number, limit: number) =>
        readTrades(relayer.histories, selection, { book: selection.book, pool: selection.pool, after, limit });
      if (last === undefined) {
        last = (await read(0, 1))[0]?.id ?? 0;
        return [];
      }
      const trades = await read(last, MOST_TRADES);
      last = trades[0]?.id ?? last;
      return trades.map((trade) => describeTrade(selection, trade).slice(0, 7));
    },
    view: () => ({
      first: () => undefined,
      next: (rows: string[][]) => (rows.length > 0 ? [{ data: rows }] : []),
    }),
  };
}
