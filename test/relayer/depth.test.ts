import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { loadCatalog } from '../../src/relayer/engine/catalog.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { buildBooks } from '../../src/relayer/engine/orders/bookLevels.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC, USDT } from './support/tokens.ts';

interface Book {
  readonly version: number;
  readonly timestamp: number;
  readonly market: string;
  readonly bids: [string, string, string, string][];
  readonly asks: [string, string, string, string][];
}

describe.each(databases)('the order book on $name', ({ start }) => {
  let test: TestRelayer;
  let maker: TestAccount;
  let taker: TestAccount;
  beforeAll(async () => {
    test = await start();
    maker = await test.account([
      { symbol: 'LRC', amount: String(1_000_000n * ether) },
      { symbol: 'ETH', amount: String(1_000n * ether) },
      { symbol: 'USDT', amount: '1000000000000' },
    ]);
    taker = await test.account();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const read = async <Answer>(path: string, query: Record<string, string | number | boolean>): Promise<Answer> => {
    const { status, body } = await test.call('GET', `/api/v3/${path}`, { query });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const depth = (market: string, query = {}) => read<Book>('depth', { market, ...query });
  const mixDepth = (market: string, query = {}) => read<Book>('mix/depth', { market, ...query });

  it('is empty, without an order and without a version, before anybody came', async () => {
    expect(await depth('LRC-USDT')).toMatchObject({ market: 'LRC-USDT', bids: [], asks: [] });
  });

  it('has both sides best first, with what is left of each order, bids rounded down and asks up', async () => {
    // 0.1999995, 0.2000005 and, twice, 0.3 USDT for an LRC; the market counts in millionths.
    await maker.placed([USDT, 19_999_950n], [LRC, 100n * ether]);
    await maker.placed([LRC, 100n * ether], [USDT, 20_000_050n]);
    await maker.placed([LRC, 10n * ether], [USDT, 3_000_000n]);
    const cancelled = await maker.placed([LRC, 20n * ether], [USDT, 6_000_000n]);
    // For one taker only, so not for the public.
    await maker.placed([LRC, 20n * ether], [USDT, 4_200_000n], { taker: taker.owner });
    await test.block();
    const before = await depth('LRC-USDT');
    expect(before.bids).toEqual([['0.199999', String(100n * ether), '19999950', '1']]);
    expect(before.asks).toEqual([
      ['0.200001', String(100n * ether), '20000050', '1'],
      ['0.3', String(30n * ether), '9000000', '2'],
    ]);
    expect(await depth('lrc-usdt', { limit: 1 })).toMatchObject({ asks: [before.asks[0]] });

    // Partly filled, cancelled and expired orders.
    const reply = await taker.submit(
      await taker.order([USDT, 8_000_020n], [LRC, 40n * ether], { orderType: 'TAKER_ONLY' }),
    );
    expect(reply.status).toBe(200);
    expect((await maker.cancel({ orderHash: cancelled })).status).toBe(200);
    await test.block();
    const after = await depth('LRC-USDT');
    expect(after.asks).toEqual([
      ['0.200001', String(60n * ether), '12000030', '1'],
      ['0.3', String(10n * ether), '3000000', '1'],
    ]);
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.timestamp).toBeGreaterThanOrEqual(before.timestamp);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);

    await test.advance(40 * 86_400_000);
    await test.block();
    expect(await depth('LRC-USDT')).toMatchObject({ bids: [], asks: [] });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    // A price at which nothing rests any more costs nothing.
    for (const table of ['book_levels', 'coarse_levels'])
      expect(await test.relayer.db.query(`SELECT * FROM ${table} WHERE orders = 0`)).toEqual([]);
  });

  it('has the same sum of sizes at every level, coarser prices and never a crossed side', async () => {
    for (let n = 1n; n <= 12n; n++) {
      await maker.placed([LRC, 100n * ether], [USDT, 20_000_000n + n * 3_333n]);
      await maker.placed([USDT, 19_000_000n - n * 3_333n], [LRC, 100n * ether]);
    }
    await test.block();
    const sum = (slots: string[][]) => slots.reduce((total, [, size]) => total + BigInt(size as string), 0n);
    const finest = await depth('LRC-USDT', { level: 0 });
    expect(sum(finest.asks)).toBe(1_200n * ether);
    for (let level = 0; level < 5; level++) {
      const book = await depth('LRC-USDT', { level });
      expect([sum(book.bids), sum(book.asks)]).toEqual([sum(finest.bids), sum(finest.asks)]);
      expect(book.version).toBe(finest.version);
      const prices = (slots: string[][]) => slots.map(([price]) => Number(price));
      expect(prices(book.bids)).toEqual(prices(book.bids).sort((a, b) => b - a));
      expect(prices(book.asks)).toEqual(prices(book.asks).sort((a, b) => a - b));
      expect(Number(book.bids[0]?.[0])).toBeLessThan(Number(book.asks[0]?.[0]));
      for (const [price] of [...book.bids, ...book.asks])
        expect(price.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(6 - level);
    }
    expect((await depth('LRC-USDT', { level: 4 })).asks).toEqual([
      ['0.21', String(1_200n * ether), expect.any(String), '12'],
    ]);
  });

  it('leaves out the same of the pool at every level', async () => {
    // At prices inside the pool's ladders: some of its slots cross the book and some do not.
    const alone = await mixDepth('AMM-LRC-ETH');
    const priced = (price: string) => BigInt(Math.round(Number(price) * 1e8)) * (ether / 10n ** 5n);
    const book = { tradeChannel: 'ORDER_BOOK' };
    const orders = [
      await maker.placed([LRC, 1_000n * ether], [ETH, priced(alone.bids[20]?.[0] as string)], book),
      await maker.placed([ETH, priced(alone.asks[20]?.[0] as string)], [LRC, 1_000n * ether], book),
    ];
    await test.block();
    const sums = async (market: string, level: number) => {
      const { bids, asks } = await mixDepth(market, { level });
      return [bids, asks].map((slots) => slots.reduce((total, [, size]) => total + BigInt(size), 0n));
    };
    const finest = await sums('LRC-ETH', 0);
    const whole = await sums('AMM-LRC-ETH', 0);
    expect(finest.map((sum, side) => sum < (whole[side] as bigint))).toEqual([true, true]);
    for (let level = 1; level < 5; level++) expect(await sums('LRC-ETH', level), `level ${level}`).toEqual(finest);
    for (const orderHash of orders) expect((await maker.cancel({ orderHash })).status).toBe(200);
    await test.block();
  });

  it('shows with the pool what a taker gets of it, beside the orders and at the same price', async () => {
    const alone = await mixDepth('AMM-LRC-ETH');
    expect(alone.market).toBe('AMM-LRC-ETH');
    expect(alone.bids).toHaveLength(50);
    expect(alone.asks).toHaveLength(50);
    const version = (await mixDepth('LRC-ETH')).version;
    // Inside the spread of the pool, and far below.
    await maker.placed([ETH, ether], [LRC, 15_000n * ether]);
    await maker.placed([ETH, ether], [LRC, 20_000n * ether]);
    await test.block();
    const mixed = await mixDepth('LRC-ETH');
    expect(mixed.version).toBeGreaterThan(version);
    expect(mixed.bids[0]).toEqual(['0.00006666', String(15_000n * ether), String(ether), '1']);
    expect(mixed.bids.slice(1, 10)).toEqual(alone.bids.slice(0, 9));
    expect(await depth('LRC-ETH')).toMatchObject({ asks: [], bids: [{ 0: '0.00006666' }, { 0: '0.00005' }] });

    // What the first slots promise is what a taker of exactly that gets, in the 24-bit floats of a
    // block.
    const wanted = alone.bids.slice(0, 5);
    const size = wanted.reduce((total, slot) => total + BigInt(slot[1]), 0n);
    const volume = wanted.reduce((total, slot) => total + BigInt(slot[2]), 0n);
    const before = (await taker.balance(ETH)).total;
    await taker.submit(
      await taker.order([LRC, size], [ETH, volume - volume / 100n], {
        orderType: 'TAKER_ONLY',
        tradeChannel: 'AMM_POOL',
        poolAddress: LRC_ETH_POOL.address,
      }),
    );
    await test.block();
    const got = (await taker.balance(ETH)).total - before;
    expect(got <= volume && (volume - got) * 40_000n < volume).toBe(true);
    const moved = await mixDepth('AMM-LRC-ETH');
    expect(moved.version).toBeGreaterThan(mixed.version);
    expect(Number(moved.bids[0]?.[0])).toBeLessThan(Number(alone.bids[4]?.[0]));
  });

  it('leaves out what of the pool crosses the book, unless asked', async () => {
    // An order of the book alone above the pool's price: only somebody of the book can fill it.
    const crossing = await maker.placed([ETH, ether], [LRC, 14_000n * ether]);
    await test.block();
    const uncrossed = await mixDepth('LRC-ETH');
    const overlapping = await mixDepth('LRC-ETH', { showOverlap: true });
    expect(Number(uncrossed.bids[0]?.[0])).toBeLessThan(Number(uncrossed.asks[0]?.[0]));
    expect(Number(overlapping.bids[0]?.[0])).toBeGreaterThan(Number(overlapping.asks[0]?.[0]));
    expect((await maker.cancel({ orderHash: crossing })).status).toBe(200);
    await test.block();
  });

  it('has no more slots on a side than are asked for, with the pool neither', async () => {
    const { bids, asks } = await mixDepth('LRC-ETH', { limit: 3 });
    const all = await mixDepth('LRC-ETH');
    expect([bids, asks]).toEqual([all.bids.slice(0, 3), all.asks.slice(0, 3)]);
    expect([bids.length, asks.length]).toEqual([3, 3]);
  });

  it('has no order that only the pool may fill', async () => {
    const { bids, asks } = await depth('LRC-ETH');
    const hash = await maker.placed([LRC, 100n * ether], [ETH, ether], { tradeChannel: 'AMM_POOL' });
    await test.block();
    expect((await maker.orderOf(hash)).status).toBe('processing');
    expect(await depth('LRC-ETH')).toMatchObject({ bids, asks });
    expect((await maker.cancel({ orderHash: hash })).status).toBe(200);
    await test.block();
  });

  it('shows no bid below the first step of its market, which would have the price 0 at every level', async () => {
    const cheap = await maker.placed([USDT, 1_000_000n], [LRC, 10_000_000n * ether]);
    await test.block();
    expect((await maker.orderOf(cheap)).status).toBe('processing');
    const prices = async (level: number) =>
      (await depth('LRC-USDT', { level })).bids.map(([price]) => Number(price)).filter((price) => price === 0);
    for (const level of [0, 4]) expect(await prices(level)).toEqual([]);
    expect((await maker.cancel({ orderHash: cheap })).status).toBe(200);
    await test.block();
  });

  it('stays right when its steps change, and when it is made from the orders anew', async () => {
    const before = await depth('LRC-USDT');
    for (const table of ['book_levels', 'coarse_levels']) await test.relayer.db.query(`DELETE FROM ${table}`);
    await test.relayer.db.query(`UPDATE books SET precision_for_price = 2`);
    const open = await maker.get('/api/v3/orders', { market: 'LRC-USDT', status: 'processing' });
    expect((await maker.cancel({ orderHash: open.body.orders[0].hash })).status).toBe(200);
    // As a process does that has not seen these markets yet.
    await test.relayer.db.transaction(async (tx) => buildBooks(tx, (await loadCatalog(tx)).markets, Date.now()));
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    await test.block();
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    const after = await depth('LRC-USDT');
    expect(after.version).toBeGreaterThan(before.version);
    const count = (book: Book) => [...book.bids, ...book.asks].reduce((sum, slot) => sum + Number(slot[3]), 0);
    expect(count(after)).toBe(count(before) - 1);
  });

  it('may be kept for a second by anybody; what is about an account by nobody', async () => {
    const book = await test.call('GET', '/api/v3/depth', { query: { market: 'LRC-ETH' } });
    expect(book.headers.get('cache-control')).toBe('public, max-age=1');
    const balances = await maker.get('/api/v3/user/balances');
    expect(balances.headers.get('cache-control')).toBe('no-store');
    const refused = await test.call('GET', '/api/v3/depth', { query: { market: 'NO-SUCH' } });
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses an unknown market with 108000 and an unknown level with 108001', async () => {
    for (const path of ['depth', 'mix/depth']) {
      const market = await test.call('GET', `/api/v3/${path}`, { query: { market: 'NO-SUCH' } });
      expect(market.body.resultInfo.code).toBe(108000);
      const level = await test.call('GET', `/api/v3/${path}`, { query: { market: 'LRC-ETH', level: 5 } });
      expect(level.body.resultInfo.code).toBe(108001);
    }
  });
});

it(
  'counts in the new price steps of a market before the next order comes into its book',
  async () => {
    const test = await startRelayer();
    try {
      const maker = await test.account();
      const asks = async () => (await test.call('GET', '/api/v3/depth', { query: { market: 'LRC-USDT' } })).body.asks;
      await maker.placed([LRC, 100n * ether], [USDT, 20_000_050n]);
      await test.block();
      expect((await asks())[0][0]).toBe('0.200001');
      const markets = developmentMarket.markets.map((entry) =>
        entry.base === 'LRC' && entry.quote === 'USDT' ? { ...entry, precisionForPrice: 4 } : entry,
      );
      await applySettings(test.relayer.db, readConfig({ dev: true, market: { ...developmentMarket, markets } }), 0);
      await maker.placed([LRC, 100n * ether], [USDT, 20_000_060n]);
      await test.block();
      expect((await asks()).map(([price, , , orders]: string[]) => [price, orders])).toEqual([['0.2001', '2']]);
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
    } finally {
      await test.close();
    }
  },
  START_TIMEOUT_MS,
);

describe('tickers', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await startRelayer();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('are of the last 24 hours, one row for each market in the order asked, empty where nothing is known', async () => {
    const [maker, taker] = [await test.account(), await test.account()];
    const tickers = async (path: string, market: string): Promise<string[][]> => {
      const { body } = await test.call('GET', `/api/v3/${path}`, { query: { market } });
      return body.tickers;
    };
    const trade = async (lrc: bigint, usdt: bigint) => {
      await maker.submit(await maker.order([USDT, usdt], [LRC, lrc]));
      await test.block();
      await taker.submit(await taker.order([LRC, lrc], [USDT, usdt], { orderType: 'TAKER_ONLY' }));
      await test.block();
    };
    const [untouched] = await tickers('ticker', 'LRC-USDT');
    expect(untouched).toEqual(['LRC-USDT', expect.any(String), '0', '0', '', '', '', '', '0', '', '', '', '']);

    await trade(100n * ether, 20_000_000n);
    await test.advance(12 * 3_600_000);
    await trade(50n * ether, 12_000_000n);
    await trade(50n * ether, 11_000_000n);
    await maker.submit(await maker.order([USDT, 10_000_000n], [LRC, 100n * ether]));
    await test.block();
    const rows = await tickers('ticker', 'ETH-USDT,LRC-USDT');
    expect(rows.map(([market]) => market)).toEqual(['ETH-USDT', 'LRC-USDT']);
    expect(rows[1]?.slice(2)).toEqual([
      ...[String(200n * ether), '43000000', '0.2', '0.24', '0.2', '0.22', '3', '0.1', '', '', ''],
    ]);
    // With the pool: its fees, and its prices where nobody bids or asks.
    const [mixed] = await tickers('mix/ticker', 'COMBINE-LRC-ETH');
    expect(mixed?.slice(0, 1)).toEqual(['LRC-ETH']);
    expect(mixed?.slice(9, 11)).toEqual([expect.stringMatching(/^0\.00006/), expect.stringMatching(/^0\.00006/)]);
    expect(mixed?.slice(11)).toEqual(['0', '0']);

    await test.advance(13 * 3_600_000);
    const [later] = await tickers('ticker', 'LRC-USDT');
    expect(later?.slice(2, 9)).toEqual([String(100n * ether), '23000000', '0.24', '0.24', '0.22', '0.22', '2']);
    await test.advance(24 * 3_600_000);
    const [quiet] = await tickers('ticker', 'LRC-USDT');
    expect(quiet?.slice(2, 9)).toEqual(['0', '0', '', '', '', '0.22', '0']);

    const { body } = await test.call('GET', '/api/v3/ticker', { query: { market: 'LRC-USDT,NO-SUCH' } });
    expect(body.resultInfo.code).toBe(100001);
  });
});
