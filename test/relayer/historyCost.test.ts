import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { candleIntervals } from '../../src/protocol/candleIntervals.ts';
import type { Db, Sql } from '../../src/relayer/db/port.ts';
import { type Catalog, loadCatalog } from '../../src/relayer/engine/catalog.ts';
import { countTrades, dayBegan, readCandles, sumCandles } from '../../src/relayer/engine/marketData/candles.ts';
import { DEPTH_LEVELS, readDepth } from '../../src/relayer/engine/marketData/depth.ts';
import type { Selection } from '../../src/relayer/engine/marketData/selection.ts';
import { buildBooks } from '../../src/relayer/engine/orders/bookLevels.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import { type FillRow, recordFills } from '../../src/relayer/engine/orders/recordFills.ts';
import { MOST_COUNTED, page } from '../../src/relayer/engine/page.ts';
import { answerTickers } from '../../src/relayer/routes/getTicker.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { rowsReadBy } from './support/rowsRead.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const MINUTE = candleIntervals['1min'];
const DAY = candleIntervals['1d'];
/** Much more than a ticker looks back. */
const WEEKS = 4;
const MINUTES = (WEEKS * candleIntervals['1w']) / MINUTE;
const LIMIT = 100;
const BOOK = { level: 0, limit: 50, showOverlap: false };

/** Carries statements out and counts the rows that they read. Their answers are empty. */
function counting(db: Sql) {
  let rows = 0;
  const sql: Sql = {
    async query(text, values) {
      rows += await rowsReadBy(db, text, values);
      return [];
    },
  };
  return { sql, rows: () => rows };
}

/**
 * Rows read by way of the indexes: a table that is small enough is otherwise read whole once it has
 * been analyzed.
 */
const rowsOf = (db: Db, work: (sql: Sql) => Promise<unknown>): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    const { sql, rows } = counting(tx);
    await work(sql);
    return rows();
  });

describe.each(databases)('market data after a long history on $name', ({ start }) => {
  let relayer: TestRelayer;
  let catalog: Catalog;
  let selection: Selection;
  let now: number;
  beforeAll(async () => {
    relayer = await start();
    catalog = await loadCatalog(relayer.relayer.db);
    const market = catalog.market('LRC-ETH');
    if (!market) throw new Error('there is no market LRC-ETH');
    selection = { name: 'LRC-ETH', market, book: true, pool: true };
    const [maker, taker] = [await relayer.account(), await relayer.account()];
    await maker.submit(await maker.order([ETH, ether / 100n], [LRC, 100n * ether]));
    await relayer.block();
    await taker.submit(await taker.order([LRC, 100n * ether], [ETH, ether / 100n]));
    await relayer.block();
    now = (await relayer.call('GET', '/api/v3/timestamp')).body.timestamp;
  }, START_TIMEOUT_MS);
  afterAll(() => relayer.close());

  /** Book and pool traded in each of the last minutes. */
  const trade = async (minutes: number) => {
    const { db } = relayer.relayer;
    for (const interval of Object.values(candleIntervals))
      await db.query(
        `INSERT INTO candles
         SELECT 'LRC-ETH', $1, open_at, pool, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1
         FROM (SELECT DISTINCT at - at % $1::bigint AS open_at FROM generate_series($2::bigint, $3::bigint, $4::bigint) AS at)
           AS every, unnest('{true,false}'::bool[]) AS pool
         ON CONFLICT DO NOTHING`,
        [interval, now - (now % MINUTE) - minutes * MINUTE, now, MINUTE],
      );
    await db.query('ANALYZE candles');
  };

  const costs = async () => {
    const { db } = relayer.relayer;
    const [row] = await db.query<{ taker_hash: string; maker_hash: string }>('SELECT * FROM fills LIMIT 1');
    const [taker] = await db.query<OrderRow>('SELECT * FROM orders WHERE hash = $1', [row?.taker_hash ?? '']);
    if (!row || !taker) throw new Error('nothing was traded');
    const fill: FillRow = {
      taker,
      maker: row.maker_hash,
      pool: null,
      makerAccountId: taker.account_id,
      sold: ether,
      bought: 1n,
      takerFee: 0n,
      makerFee: 0n,
      indexInBlock: 0,
    };
    return {
      candles: await rowsOf(db, (sql) => readCandles(sql, selection, MINUTE, { limit: LIMIT })),
      day: await rowsOf(db, (sql) => sumCandles(sql, selection, dayBegan(now))),
      close: await rowsOf(db, (sql) => readCandles(sql, selection, candleIntervals['1w'], { limit: 1 })),
      trades: await rowsOf(db, (sql) => countTrades(sql, selection, [true, false])),
      fill: await rowsOf(db, (sql) => recordFills(sql, [fill], 1, now)),
    };
  };

  test('reads are bounded by what is answered and by the day, and a fill touches its own candles only', async () => {
    await trade(MINUTES);
    const cost = await costs();
    // Book and pool have a row each; an index tells the end of what is asked only with the next
    // row.
    expect(cost.candles).toBeLessThanOrEqual(2 * LIMIT + 50);
    expect(cost.day).toBeLessThanOrEqual(2 * (DAY / MINUTE + 1));
    // The last price and the number of all trades come from the longest candles: two rows a week.
    expect(cost.close).toBeLessThanOrEqual(2 * (WEEKS + 1));
    expect(cost.trades).toBeLessThanOrEqual(2 * (WEEKS + 1));
    expect(cost.fill).toBeLessThanOrEqual(1);
  });

  test('a ticker of a market that is asked for many times costs what it costs once', async () => {
    const { db } = relayer.relayer;
    const statements = async (market: string) => {
      let count = 0;
      const histories: Sql = {
        query: (text, values) => {
          count += 1;
          return db.query(text, values);
        },
      };
      const here = { histories, catalog, clock: { now: () => now } };
      const { tickers } = await answerTickers({ relayer: here, query: { market } } as never, true);
      return { count, names: tickers.map(([name]) => name) };
    };
    const once = await statements('LRC-ETH,AMM-LRC-ETH');
    const often = await statements(Array(25).fill('LRC-ETH,AMM-LRC-ETH').join(','));
    expect(often.names).toEqual(Array(25).fill(once.names).flat());
    expect(often.count).toBe(once.count);
  });

  test('a book looks up its edges once, and not for each of its prices', async () => {
    const { db } = relayer.relayer;
    const statements: string[] = [];
    const explained: Sql = {
      async query(text, values) {
        const [row] = await db.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
        statements.push(JSON.stringify(row?.['QUERY PLAN']));
        return [];
      },
    };
    await readDepth(explained, selection, true, BOOK);
    expect(statements.join()).toContain('"InitPlan"');
    expect(statements.join()).not.toContain('"SubPlan"');
  });

  test('a book that many prices have come and gone from costs what is open in it', async () => {
    const { db } = relayer.relayer;
    const maker = await relayer.account();
    const validUntil = await maker.inSeconds(3_600);
    const read = () => rowsOf(db, (sql) => readDepth(sql, selection, true, BOOK));
    const before = await read();
    await db.query('ANALYZE');
    for (let n = 1; n <= 3; n++) {
      const order = await maker.order([LRC, 10n * ether], [ETH, ether + BigInt(n) * (ether / 100n)], {
        storageId: 2 * n,
        validUntil,
      });
      const { body } = await maker.submit(order);
      await relayer.block();
      if (n === 1) expect(await read()).toBeGreaterThan(before);
      await maker.cancel({ orderHash: body.hash });
      await relayer.block();
    }
    expect(await read()).toBe(before);
  });

  test('a book of many prices costs what is answered of it, at every level', async () => {
    const { db } = relayer.relayer;
    const [before] = await db.query<{ precision: number }>(
      `SELECT precision_for_price AS precision FROM books WHERE market = 'LRC-ETH'`,
    );
    const PRICES = 3_000;
    // Resting orders at these prices, from which the book is made as at the first start of an
    // engine.
    await db.transaction(async (tx) => {
      const [sample] = await tx.query<OrderRow>('SELECT * FROM orders LIMIT 1');
      const columns = Object.keys(sample ?? {}).filter(
        (name) => !['seq', 'hash', 'side', 'amount_s', 'amount_b', 'filled_s', 'filled_b'].includes(name),
      );
      const as = columns.map((name) => ({ status: `'processing'`, resting: 'true' })[name] ?? name);
      for (const [side, sold, bought] of [
        ['BUY', `(50000 + g)::numeric * 10000000000`, `${ether}`],
        ['SELL', `${ether}`, `(100000 + g)::numeric * 10000000000`],
      ])
        await tx.query(
          `INSERT INTO orders (hash, side, amount_s, amount_b, filled_s, filled_b, ${columns.join(', ')})
           SELECT '${side}' || g, '${side}', ${sold}, ${bought}, 0, 0, ${as.join(', ')}
           FROM (SELECT * FROM orders LIMIT 1) AS sample, generate_series(1, ${PRICES}) AS g`,
        );
      await tx.query(`UPDATE books SET precision_for_price = -1 WHERE market = 'LRC-ETH'`);
      await buildBooks(tx, catalog.markets, now);
    });
    await db.query('ANALYZE book_levels, coarse_levels');
    const [levels] = await db.query<{ n: number }>('SELECT count(*) AS n FROM book_levels');
    expect(levels?.n).toBeGreaterThanOrEqual(2 * PRICES);
    for (let level = 0; level < DEPTH_LEVELS; level++) {
      const read = await rowsOf(db, (sql) => readDepth(sql, selection, true, { ...BOOK, level }));
      // Ten rows for a slot of each side, and a few for book, edges and pool.
      expect(read, `level ${level}`).toBeLessThanOrEqual(2 * 10 * BOOK.limit + 50);
    }
    // The same sums as those of all prices.
    const all = await db.query<{ side: 'BUY' | 'SELL'; tick: bigint; size: bigint }>(
      'SELECT side, tick, size FROM book_levels',
    );
    expect(before?.precision).toBe(8);
    for (let level = 0; level < DEPTH_LEVELS; level++) {
      const step = 10n ** BigInt(level);
      const depth = await readDepth(db, selection, false, { ...BOOK, level });
      for (const side of ['BUY', 'SELL'] as const) {
        const sums = new Map<bigint, bigint>();
        for (const row of all) {
          if (row.side !== side) continue;
          const tick = ((side === 'BUY' ? row.tick : row.tick + step - 1n) / step) * step;
          sums.set(tick, (sums.get(tick) ?? 0n) + row.size);
        }
        const best = [...sums].sort(([a], [b]) => Number(side === 'BUY' ? b - a : a - b)).slice(0, BOOK.limit);
        const slots = side === 'BUY' ? depth.bids : depth.asks;
        expect(slots.map(({ tick, size }) => [tick, size])).toEqual(best);
      }
    }
  });

  test('a list of an account reads no more rows than its pages can reach, however long it is', async () => {
    const { db } = relayer.relayer;
    const { accountId } = await relayer.account();
    const [sample] = await db.query<OrderRow>('SELECT * FROM orders LIMIT 1');
    const columns = Object.keys(sample ?? {}).filter((name) => !['seq', 'hash', 'status', 'account_id'].includes(name));
    await db.transaction((tx) =>
      tx.query(
        `INSERT INTO orders (hash, status, account_id, ${columns.join(', ')})
         SELECT 'old' || g, 'cancelled', ${accountId}, ${columns.join(', ')}
         FROM (SELECT * FROM orders LIMIT 1) AS sample, generate_series(1, ${MOST_COUNTED + 5_000}) AS g`,
      ),
    );
    await db.query('ANALYZE orders');
    const list = (sql: Sql, offset: number) =>
      page(sql, [['orders', 'account_id']], accountId, [['status = ANY(?::text[])', ['cancelled']]], ['seq', 'DESC'], {
        offset,
      });
    expect((await list(db, 0)).totalNum).toBe(MOST_COUNTED);
    // Those that are counted, and those of the page.
    expect(await rowsOf(db, (sql) => list(sql, 0))).toBeLessThanOrEqual(MOST_COUNTED + 50);
  });
});
