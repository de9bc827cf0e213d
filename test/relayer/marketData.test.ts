import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { candleIntervals } from '../../src/protocol/candleIntervals.ts';
import { MAX_TRADES_SKIPPED } from '../../src/protocol/endpoints/getAmmTrades.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { answerProblems, type OpenApi } from '../support/openApiCheck.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startOnPostgres, startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const HOUR = 3_600_000;

describe('market data', () => {
  let test: TestRelayer;
  let maker: TestAccount;
  let taker: TestAccount;
  let document: OpenApi;
  beforeAll(async () => {
    test = await startOnPostgres();
    maker = await test.account();
    taker = await test.account();
    document = (await test.call('GET', '/openapi.json')).body;
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  /** As the document has it, with every column of each row. */
  const expectDescribed = (path: string, body: unknown) =>
    expect(answerProblems(document, { path: `/api/v3/${path}`, method: 'GET' }, 200, body)).toEqual([]);
  const read = async (path: string, query: Record<string, string | number> = {}) => {
    const { status, body } = await test.call('GET', `/api/v3/${path}`, { query });
    expect(status, JSON.stringify(body)).toBe(200);
    expectDescribed(path, body);
    return body;
  };
  /**
   * A sale of LRC by the taker to a resting bid of the maker, at `price` ETH · 10^-6 for one LRC.
   */
  const tradeInBook = async (lrc: bigint, price: bigint) => {
    const eth = (lrc * price) / 1_000_000n;
    await maker.submit(await maker.order([ETH, eth], [LRC, lrc]));
    await test.block();
    const reply = await taker.submit(await taker.order([LRC, lrc], [ETH, eth], { orderType: 'TAKER_ONLY' }));
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    await test.block();
  };
  const swap = async (eth: bigint) => {
    const reply = await taker.submit(
      await taker.order([ETH, eth], [LRC, eth * 10_000n], {
        orderType: 'AMM',
        tradeChannel: 'AMM_POOL',
        poolAddress: LRC_ETH_POOL.address,
      }),
    );
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    await test.block();
  };

  it('is empty before the first trade', async () => {
    expect(await read('trade', { market: 'LRC-ETH' })).toEqual({ totalNum: 0, trades: [] });
    expect(await read('candlestick', { market: 'LRC-ETH', interval: '1min' })).toEqual({ candlesticks: [] });
  });

  describe('after four trades', () => {
    beforeAll(async () => {
      // All of them in one week, for the candle of it.
      const leftOfWeek = candleIntervals['1w'] - (Date.now() % candleIntervals['1w']);
      if (leftOfWeek < 2 * HOUR) await test.advance(leftOfWeek);
      await tradeInBook(100n * ether, 60n);
      await test.advance(90_000);
      await tradeInBook(200n * ether, 50n);
      await swap(ether / 10n);
      await test.advance(HOUR);
      await tradeInBook(300n * ether, 55n);
    }, START_TIMEOUT_MS);

    it('shows the trades of book and pool, newest first, with the side and the fee of the taker', async () => {
      const { totalNum, trades } = await read('trade', { market: 'lrc-eth' });
      expect(totalNum).toBe(4);
      expect(trades.map((row: string[]) => [row[2], row[3], row[4], row[5]])).toEqual([
        ['SELL', String(300n * ether), '0.000055', 'LRC-ETH'],
        ['BUY', expect.stringMatching(/^1[0-9]{21}$/), expect.stringMatching(/^0\.0000668/), 'LRC-ETH'],
        ['SELL', String(200n * ether), '0.00005', 'LRC-ETH'],
        ['SELL', String(100n * ether), '0.00006', 'LRC-ETH'],
      ]);
      for (const row of trades) for (const value of row) expect(value).toBeTypeOf('string');
      const ids = trades.map((row: string[]) => Number(row[1]));
      expect([...ids].sort((a, b) => b - a)).toEqual(ids);

      // The same trade as the taker sees it.
      const own = await taker.get('/api/v3/user/trades', { market: 'LRC-ETH' });
      expectDescribed('user/trades', own.body);
      // What a pool keeps is no fee of the taker: it is in the price.
      const withoutPoolFee = trades.map((row: string[]) => (row === trades[1] ? row.with(6, '0') : row));
      expect(own.body.trades.map((row: string[]) => row.slice(0, 9))).toEqual(withoutPoolFee);
      expect(trades[1][6]).not.toBe('0');
      expect(own.body.trades.map((row: string[]) => row[13])).toEqual(['taker', 'taker', 'taker', 'taker']);
      const seen = async (query: object) => (await taker.get('/api/v3/user/trades', { ...query })).body;
      expect(await seen({ market: 'lrc-eth' })).toEqual(own.body);
      expect((await seen({ fillTypes: 'amm' })).trades).toEqual([own.body.trades[1]]);
      expect((await seen({ fillTypes: 'dex' })).totalNum).toBe(3);
      expect(await seen({ fillTypes: 'dex,amm' })).toEqual(own.body);
      expect((await seen({ fillTypes: 'nft' })).resultInfo.code).toBe(100001);
      expect(await seen({ market: 'no-such' })).toEqual({ totalNum: 0, trades: [] });
      const made = (await maker.get('/api/v3/user/trades')).body;
      expect(made.trades.map((row: string[]) => row[13])).toEqual(['maker', 'maker', 'maker']);
      const orders = async (market: string) => (await maker.get('/api/v3/orders', { market })).body;
      expect((await orders('LRC-ETH')).totalNum).toBe(3);
      expect(await orders('lrc-eth')).toEqual(await orders('LRC-ETH'));

      const pool = await read('trade', { market: 'LRC-ETH', fillTypes: 'amm' });
      expect(pool).toEqual({ totalNum: 1, trades: [trades[1]] });
      expect(await read('trade', { market: 'AMM-LRC-ETH' })).toEqual(pool);
      expect((await read('trade', { market: 'LRC-ETH', fillTypes: 'dex', limit: 2 })).trades).toEqual([
        trades[0],
        trades[2],
      ]);
      expect(await read('trade', { market: 'NO-SUCH' })).toEqual({ totalNum: 0, trades: [] });

      const { trades: swaps, transactions } = await read('amm/trades', { ammPoolAddress: LRC_ETH_POOL.address });
      expect(transactions).toEqual(swaps);
      expect(swaps).toEqual([
        {
          accountId: taker.accountId,
          orderHash: own.body.trades[1][12],
          market: 'AMM-LRC-ETH',
          side: 'BUY',
          size: trades[1][3],
          price: trades[1][4],
          feeAmount: trades[1][6],
          createdAt: Number(trades[1][0]),
        },
      ]);
      expect((await read('amm/trades', { ammPoolAddress: LRC_ETH_POOL.address, offset: 1 })).trades).toEqual([]);
    });

    it('has candles with open, close, high and low of what was traded, newest first, without empty intervals', async () => {
      const { trades } = await read('trade', { market: 'LRC-ETH' });
      const [last, swapped, second, first] = trades as [string[], string[], string[], string[]];
      const candles = async (path: string, market: string, interval: string, more = {}): Promise<string[][]> =>
        (await read(path, { market, interval, ...more })).candlesticks;
      const opens = (row: string[], interval: keyof typeof candleIntervals) =>
        String(Number(row[0]) - (Number(row[0]) % candleIntervals[interval]));

      expect(await candles('candlestick', 'LRC-ETH', '1min')).toEqual([
        [opens(last, '1min'), '1', last[4], last[4], last[4], last[4], last[3], String(165n * (ether / 10_000n))],
        [opens(second, '1min'), '1', second[4], second[4], second[4], second[4], second[3], String(ether / 100n)],
        [opens(first, '1min'), '1', first[4], first[4], first[4], first[4], first[3], String(6n * (ether / 1_000n))],
      ]);
      const [week] = await candles('candlestick', 'LRC-ETH', '1w');
      expect(week?.slice(1, 7)).toEqual(['3', '0.00006', '0.000055', '0.00006', '0.00005', String(600n * ether)]);
      const [mixed] = await candles('mix/candlestick', 'LRC-ETH', '1w');
      expect(mixed?.slice(1, 6)).toEqual(['4', '0.00006', '0.000055', swapped[4], '0.00005']);
      const [pool] = await candles('mix/candlestick', 'AMM-LRC-ETH', '1w');
      expect(pool?.slice(1, 6)).toEqual(['1', swapped[4], swapped[4], swapped[4], swapped[4]]);

      const all = await candles('candlestick', 'LRC-ETH', '1min');
      const [newest, middle, oldest] = all as [string[], string[], string[]];
      expect(await candles('candlestick', 'LRC-ETH', '1min', { limit: 2 })).toEqual([newest, middle]);
      expect(await candles('candlestick', 'LRC-ETH', '1min', { end: Number(middle[0]) })).toEqual([middle, oldest]);
      expect(await candles('candlestick', 'LRC-ETH', '1min', { start: Number(middle[0]) })).toEqual([newest, middle]);
    });

    it('refuses candles of a market that is not listed and of an interval that is none', async () => {
      for (const [path, query] of [
        ['candlestick', { market: 'NO-SUCH', interval: '1min' }],
        ['candlestick', { market: 'AMM-LRC-ETH', interval: '1min' }],
        ['mix/candlestick', { market: 'AMM-LRC-USDT', interval: '1min' }],
        ['mix/candlestick', { market: 'LRC-ETH', interval: '7min' }],
        ['amm/trades', { ammPoolAddress: `0x${'12'.repeat(20)}` }],
      ] as const) {
        const { body } = await test.call('GET', `/api/v3/${path}`, { query });
        expect(body.resultInfo?.code, path).toBe(100001);
      }
    });

    it('refuses to skip more trades of a pool than it reads at once', async () => {
      const skip = (offset: number) =>
        test.call('GET', '/api/v3/amm/trades', { query: { ammPoolAddress: LRC_ETH_POOL.address, offset } });
      expect((await skip(MAX_TRADES_SKIPPED)).status).toBe(200);
      expect((await skip(MAX_TRADES_SKIPPED + 1)).body.resultInfo).toMatchObject({
        code: 100001,
        message: expect.stringMatching(/^offset /),
      });
    });

    it('is what follows from all fills', async () => {
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
      await test.relayer.db.query('UPDATE candles SET close = close + 1 WHERE interval_ms = 60000 AND pool');
      expect(await auditDatabase(test.relayer.db)).toHaveLength(2);
      await test.relayer.db.query('UPDATE candles SET close = close - 1 WHERE interval_ms = 60000 AND pool');
    });
  });
});

it('has a price above zero for each trade of a token that is cheap', async () => {
  const amount = 7n * 10n ** 27n;
  const tokens = developmentMarket.tokens.map((token) =>
    token.symbol === 'LRC' ? { ...token, maximum: String(amount) } : token,
  );
  const test = await startRelayer({ dev: true, market: { ...developmentMarket, tokens } });
  onTestFinished(() => test.close());
  const price = [ETH, 2n * 10n ** 15n] as const;
  const buyer = await test.account();
  await buyer.submit(await buyer.order([...price], [LRC, amount]));
  await test.block();
  const seller = await test.account([
    { symbol: 'LRC', amount: String(amount) },
    { symbol: 'ETH', amount: String(ether) },
  ]);
  const reply = await seller.submit(await seller.order([LRC, amount], [...price]));
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  await test.block();
  const query = { market: 'LRC-ETH' };
  const { trades } = (await test.call('GET', '/api/v3/trade', { query })).body;
  const { candlesticks } = (await test.call('GET', '/api/v3/candlestick', { query: { ...query, interval: '1min' } }))
    .body;
  expect([trades[0][4], candlesticks[0][5]]).toEqual(Array(2).fill('0.00000000000028571428'));
});
