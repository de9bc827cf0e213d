import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { candleIntervals } from '../../src/protocol/candleIntervals.ts';
import { closeCodes, pushErrors, pushTopicNames } from '../../src/protocol/push.ts';
import { readConfig } from '../../src/relayer/config.ts';
import type { Db, Sql } from '../../src/relayer/db/port.ts';
import { loadCatalog } from '../../src/relayer/engine/catalog.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { CHANGES_KEPT_MS, forgetAccountChanges, readAccountChanges } from '../../src/relayer/push/accountChanges.ts';
import { Connection, type ConnectionLimits } from '../../src/relayer/push/connection.ts';
import { createPushHub } from '../../src/relayer/push/pushHub.ts';
import { SOCKET_OPTIONS } from '../../src/relayer/push/pushServer.ts';
import { createMetrics } from '../../src/relayer/server/metrics.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { rowsReadPlanned } from './support/rowsRead.ts';
import { SocketClient } from './support/socketClient.ts';
import { startEmbedded, startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC, USDT } from './support/tokens.ts';

/** Waits until the pushes have looked at the database once: the first look reads every topic. */
const firstPoll = ({ metric }: TestRelayer) => expect.poll(() => metric('push_poll_seconds_count')).toBeGreaterThan(0);

/** Of hubs that tests make by themselves: nothing happens here. */
let quiet: TestRelayer;
beforeAll(async () => {
  quiet = await startRelayer();
}, START_TIMEOUT_MS);
afterAll(() => quiet.close());

const hubOn = async (query: (text: string, values?: readonly never[]) => Promise<readonly object[]>) =>
  createPushHub({
    ...{ db: { query }, histories: { query } },
    clock: { now: Date.now },
    metrics: createMetrics(),
    log: { error: () => {} },
    catalog: await loadCatalog(quiet.relayer.db),
  } as unknown as Relayer);

type Slot = [price: string, size: string, volume: string, count: string];

/** The book of a client: what REST said, and what the messages since then changed. */
class Book {
  version: number;
  readonly #sides: Record<'bids' | 'asks', Map<string, Slot>>;

  constructor({ version, bids, asks }: { version: number; bids: Slot[]; asks: Slot[] }) {
    this.version = version;
    const side = (slots: Slot[]) => new Map(slots.map((slot) => [slot[0], slot] as const));
    this.#sides = { bids: side(bids), asks: side(asks) };
  }

  /** @returns `false` when a message is missing. */
  apply({
    startVersion = 0,
    endVersion = 0,
    data,
  }: {
    startVersion?: number;
    endVersion?: number;
    data: Record<'bids' | 'asks', Slot[]>;
  }): boolean {
    if (endVersion <= this.version) return true;
    if (startVersion > this.version + 1) return false;
    for (const name of ['bids', 'asks'] as const)
      for (const slot of data[name])
        if (slot[1] === '0') this.#sides[name].delete(slot[0]);
        else this.#sides[name].set(slot[0], slot);
    this.version = endVersion;
    return true;
  }

  get slots() {
    const sorted = (name: 'bids' | 'asks', sign: number) =>
      [...this.#sides[name].values()].sort((a, b) => sign * (Number(a[0]) - Number(b[0])));
    return { bids: sorted('bids', -1), asks: sorted('asks', 1) };
  }
}

describe.each(databases)('pushes on $name', ({ start }) => {
  let test: TestRelayer;
  let maker: TestAccount;
  let taker: TestAccount;
  const clients: SocketClient[] = [];
  beforeAll(async () => {
    test = await start({ engine: 'timer', engineIntervalMs: 50 });
    const tokens = [
      { symbol: 'LRC', amount: String(1_000_000n * ether) },
      { symbol: 'ETH', amount: String(1_000n * ether) },
      { symbol: 'USDT', amount: '1000000000000' },
    ];
    maker = await test.account(tokens);
    taker = await test.account(tokens);
  }, START_TIMEOUT_MS);
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(() => test.close());

  const connect = async () => {
    const client = await SocketClient.connect(test.relayer.url);
    clients.push(client);
    return client;
  };
  const read = async (path: string, query: Record<string, string | number> = {}, account?: TestAccount) =>
    (await test.call('GET', `/api/v3/${path}`, { query, ...(account && { headers: account.keyHeader }) })).body;

  it('of every topic arrive, in the form of the answers by REST', async () => {
    const client = await connect();
    const { apiKey } = maker;
    const market = 'LRC-USDT';
    const reply = await client.subscribe(
      [
        { topic: 'account' },
        { topic: 'order', market },
        { topic: 'orderbook', market, level: 0, snapshot: true, count: 5 },
        { topic: 'mixorder', market: 'LRC-ETH', level: 0, count: 50, snapshot: true },
        { topic: 'trade', market },
        { topic: 'mixtrade', market: market.toLowerCase() },
        { topic: 'ticker', market },
        { topic: 'candlestick', market, interval: '1hr' },
        { topic: 'ammpool', poolAddress: LRC_ETH_POOL.address, snapshot: true },
      ],
      { apiKey },
    );
    expect(reply).toMatchObject({ op: 'sub', sequence: 1, result: { status: 'OK' } });
    expect(reply.topics).toHaveLength(pushTopicNames.length);
    // What has a beginning tells it at once.
    for (const topic of ['orderbook', 'mixorder', 'ticker', 'ammpool']) await client.of(topic, 1);

    // A trade of 10 LRC at a price of its own, so that only these two meet.
    const sold = await maker.placed([LRC, 10n * ether], [USDT, 1_500_000n]);
    // An order is told in its present state: the first one, before the second order ends it.
    await client.of('order', 1);
    await taker.placed([USDT, 1_500_000n], [LRC, 10n * ether], { orderType: 'TAKER_ONLY' });
    const orders = await client.of('order', (found) => found.at(-1)?.data.status === 'processed');
    const { volumes } = await read('order', { accountId: maker.accountId, orderHash: sold }, maker);
    expect(orders.at(-1)?.data).toEqual({
      hash: sold,
      clientOrderId: '',
      accountId: maker.accountId,
      size: String(10n * ether),
      volume: '1500000',
      price: '0.15',
      filledSize: String(10n * ether),
      filledVolume: '1500000',
      filledFee: volumes.fee,
      status: 'processed',
      createdAt: expect.any(Number),
      updateAt: expect.any(Number),
      validSince: expect.any(Number),
      validUntil: expect.any(Number),
      side: 'SELL',
      market,
    });
    expect(orders.map(({ data }) => data.status)).toEqual(['processing', 'processed']);

    const [balance] = await read('user/balances', { accountId: maker.accountId, tokens: String(USDT) }, maker);
    const balances = await client.of('account', (found) =>
      found.some(({ data }) => data.tokenId === USDT && data.totalAmount === balance.total),
    );
    expect(Object.keys(balances[0]?.data)).toEqual(['accountId', 'tokenId', 'totalAmount', 'amountLocked']);

    const { trades } = await read('trade', { market });
    const [told] = await client.of('trade', 1);
    expect(told?.data).toEqual([trades[0].slice(0, 7)]);
    const [mixed] = await client.of('mixtrade', 1);
    expect(mixed?.data).toEqual(told?.data);
    expect(mixed?.topic.market).toBe(market);

    const { candlesticks } = await read('candlestick', { market, interval: '1hr', limit: 1 });
    expect((await client.of('candlestick', 1)).at(-1)?.data).toEqual(candlesticks[0]);
    const { tickers } = await read('mix/ticker', { market });
    const tickersTold = await client.of('ticker', (found) => found.at(-1)?.data[8] === '1');
    expect(tickersTold.at(-1)?.data.with(1, '')).toEqual(tickers[0].slice(0, 11).with(1, ''));

    await taker.placed([ETH, ether / 10n], [LRC, 1_000n * ether], {
      orderType: 'TAKER_ONLY',
      tradeChannel: 'AMM_POOL',
      poolAddress: LRC_ETH_POOL.address,
    });
    const pool = await client.of('ammpool', 2);
    const { pooled, lp } = await read('amm/balance', { poolAddress: LRC_ETH_POOL.address });
    expect(pool.at(-1)?.data).toEqual([pooled.map(({ volume }: { volume: string }) => volume), lp.volume]);
    const depth = await read('mix/depth', { market: 'LRC-ETH' });
    const books = await client.of('mixorder', (found) => found.at(-1)?.endVersion === depth.version);
    expect(books.at(-1)?.data).toEqual({ bids: depth.bids, asks: depth.asks });
    // Nothing of the other account: of two orders in the market, the maker's alone.
    expect(new Set((await client.of('order', 1)).map(({ data }) => data.hash))).toEqual(new Set([sold]));
    expect(client.notifications.filter(({ data }) => data?.accountId === taker.accountId)).toEqual([]);
  });

  it('of an NFT order have its price and its NFT', async () => {
    const client = await connect();
    const { body: minted } = await maker.post('/api/v3/nft/mint', await maker.mint(`0x${'31'.repeat(32)}`, 5n));
    await test.block();
    const topics = [{ topic: 'order', market: 'nft-eth' }, { topic: 'account' }, { topic: 'account', v3: true }];
    await client.subscribe(topics, { apiKey: maker.apiKey });
    const nft = { tokenId: minted.nftTokenId, nftData: minted.nftData, amount: '2' };
    const order = await maker.nftOrder(nft, { tokenId: ETH, amount: String(ether / 5n) });
    const { body } = await maker.post('/api/v3/nft/validateOrder', order);
    const [told] = await client.of('order', 1);
    const { price, nftData } = await read('order', { accountId: maker.accountId, orderHash: body.hash }, maker);
    expect([price, nftData]).toEqual(['0.1', minted.nftData]);
    expect(told?.data).toMatchObject({ hash: body.hash, price, nftData });
    // The older form of balances has no NFTs.
    const holds = ({ data }: { data: { tokenId: number } }) => data.tokenId === minted.nftTokenId;
    const balances = (await client.of('account', (found) => found.some(holds))).filter(holds);
    expect(balances.map(({ topic }) => topic.v3)).not.toContain(undefined);
    expect(balances[0]?.data).toMatchObject({ total: '5', locked: '2', nftData });
  });

  it('make the book by REST out of the one before, without a gap, at two levels and with the pool', async () => {
    const client = await connect();
    const market = 'LRC-ETH';
    // Fewer slots than there will be prices, so that some fall out of sight and come back.
    const topics = [
      { topic: 'orderbook', market, level: 0, count: 8 },
      { topic: 'orderbook', market, level: 2, count: 5 },
      { topic: 'mixorder', market, level: 1, count: 20 },
    ];
    expect((await client.subscribe(topics)).result.status).toBe('OK');
    const rest = ({ topic, level, count }: (typeof topics)[number]) =>
      read(topic === 'orderbook' ? 'depth' : 'mix/depth', { market, level, limit: count });
    const books = await Promise.all(topics.map(async (topic) => new Book(await rest(topic))));
    const placed: string[] = [];
    const seller = await test.account();
    const validUntil = await seller.inSeconds(3_600);
    for (let n = 0; n < 18; n++) {
      // Worse and better than those before in turn, all of them above the pool's price.
      const price = n % 2 === 0 ? 68n + BigInt(n) : 120n - BigInt(n);
      placed.push(
        await seller.placed([LRC, 1_000n * ether], [ETH, (price * ether) / 1_000n], { storageId: 2 * n, validUntil }),
      );
      if (n % 3 === 2) await seller.cancel({ orderHash: placed[n - 1] as string });
      if (n % 9 === 7) await taker.placed([ETH, ether / 5n], [LRC, 1_500n * ether], { orderType: 'TAKER_ONLY' });
    }
    await Promise.all(placed.slice(0, 9).map((hash) => seller.cancel({ orderHash: hash })));
    const { db } = test.relayer;
    // The engine has taken every order in and out.
    const left = `SELECT hash FROM closed_orders UNION ALL SELECT hash FROM orders WHERE status = 'processing' AND NOT resting`;
    await expect.poll(async () => (await db.query(left)).length).toBe(0);
    for (const [index, topic] of topics.entries()) {
      const book = books[index] as Book;
      const now = await rest(topic);
      let applied = 0;
      await client.of(topic.topic, () => {
        const mine = client.notifications.filter(
          ({ topic: told }) => told.topic === topic.topic && told.level === topic.level,
        );
        for (const message of mine.slice(applied)) expect(book.apply(message)).toBe(true);
        applied = mine.length;
        return JSON.stringify(book.slots) === JSON.stringify({ bids: now.bids, asks: now.asks });
      });
      expect(applied).toBeGreaterThan(0);
    }
  });

  it('of a trade with a named taker arrive although the book does not change', async () => {
    const market = 'LRC-USDT';
    const client = await connect();
    await client.subscribe([
      { topic: 'trade', market },
      { topic: 'mixtrade', market },
      { topic: 'candlestick', market, interval: '1hr' },
    ]);
    await maker.placed([LRC, 10n * ether], [USDT, 1_600_000n], { taker: taker.owner });
    await taker.placed([USDT, 1_600_000n], [LRC, 10n * ether], { orderType: 'TAKER_ONLY' });
    for (const topic of ['trade', 'mixtrade', 'candlestick']) await client.of(topic, 1);
  });

  it('that are missing are noticed by their versions', async () => {
    const client = await connect();
    const market = 'LRC-USDT';
    await client.subscribe([{ topic: 'orderbook', market, level: 0 }]);
    const book = new Book(await read('depth', { market }));
    for (const price of ['0.91', '0.92', '0.93']) {
      await maker.placed([LRC, 10n * ether], [USDT, BigInt(Number(price) * 1e7)]);
      await client.of('orderbook', (found) =>
        found.some(({ data }) => data.asks.some(([told]: Slot) => told === price)),
      );
    }
    const [first, , last] = await client.of('orderbook', 3);
    expect(book.apply(first as never)).toBe(true);
    expect(book.apply(last as never)).toBe(false);
  });

  it('tell an account in the newer form, and nothing twice', async () => {
    const client = await connect();
    await client.subscribe([{ topic: 'account', v3: true, accountId: maker.accountId }, { topic: 'order' }], {
      apiKey: maker.apiKey,
    });
    const hash = await maker.placed([LRC, 30n * ether], [USDT, 30_000_000n]);
    await client.of('account', (found) => found.some(({ data }) => data.tokenId === LRC));
    await client.of('order', 1);
    expect((await maker.cancel({ orderHash: hash })).status).toBe(200);
    const orders = await client.of('order', (found) => found.at(-1)?.data.status === 'cancelled');
    expect(orders.map(({ data }) => data.status)).toEqual(['processing', 'cancelled']);
    const [{ total, locked }] = await read('user/balances', { accountId: maker.accountId, tokens: String(LRC) }, maker);
    const told = await client.of('account', (found) => found.at(-1)?.data.locked === locked);
    expect(told.at(-1)?.data).toEqual({ accountId: maker.accountId, tokenId: LRC, total, locked });
    const states = told.map(({ data }) => JSON.stringify(data));
    expect(new Set(states).size).toBe(states.length);
  });

  it('tell a balance that came back to its value before anybody looked', async () => {
    const { db } = test.relayer;
    let open = Promise.resolve();
    const query: Db['query'] = async (text, values) => {
      await open;
      return db.query(text, values);
    };
    const hub = createPushHub({
      db: { ...db, query },
      clock: { now: Date.now },
      metrics: createMetrics(),
      catalog: await loadCatalog(db),
    } as unknown as Relayer);
    const stream = new PassThrough();
    const told: { tokenId: number; amountLocked: string }[] = [];
    stream.on('data', (frame: Buffer) => told.push(JSON.parse(frame.toString().replace(/^[^{]*/, '')).data));
    const { accountId } = maker;
    await hub.subscribe(
      withoutClient(stream, () => {}),
      { topic: 'account' },
      accountId,
    );
    const locked = async () => (await read('user/balances', { accountId, tokens: String(LRC) }, maker))[0].locked;
    const before = await locked();
    let look = () => {};
    open = new Promise((resolve) => {
      look = resolve;
    });
    const hash = await maker.placed([LRC, 30n * ether], [USDT, 33_000_000n]);
    expect(await locked()).not.toBe(before);
    expect((await maker.cancel({ orderHash: hash })).status).toBe(200);
    await expect.poll(locked).toBe(before);
    look();
    hub.wake();
    await expect.poll(() => told.map(({ tokenId, amountLocked }) => [tokenId, amountLocked])).toEqual([[LRC, before]]);
    await hub.stop();
  });
});

describe('a connection', () => {
  let test: TestRelayer;
  let someone: TestAccount;
  beforeAll(async () => {
    test = await startEmbedded({ maxPushConnectionsPerClient: 4, pushPingMs: 50 });
    someone = await test.account();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const refusal = async (connecting: Promise<SocketClient>): Promise<string> =>
    connecting.then(
      () => 'connected',
      (error: Error) => error.message,
    );

  it('opens with a key that serves once, and with no other', async () => {
    const key = await SocketClient.key(test.relayer.url);
    const client = await SocketClient.connect(test.relayer.url, key);
    expect(await refusal(SocketClient.connect(test.relayer.url, key))).toMatch(/401/);
    expect(await refusal(SocketClient.connect(test.relayer.url, 'invented'))).toMatch(/401/);
    const late = await SocketClient.key(test.relayer.url);
    await test.relayer.db.query(`UPDATE socket_keys SET issued_at = now() - interval '61 seconds'`);
    expect(await refusal(SocketClient.connect(test.relayer.url, late))).toMatch(/401/);
    client.close();
  });

  it.each(['//', 'http://[', '/v3/other'])('is at its own path, and not at %s', async (path) => {
    const { port } = new URL(test.relayer.url);
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const asked = request({ port, path, headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(404);
  });

  it('is one of a bounded number from one address', async () => {
    const open = await Promise.all(Array.from({ length: 4 }, () => SocketClient.connect(test.relayer.url)));
    expect(await refusal(SocketClient.connect(test.relayer.url))).toMatch(/503/);
    for (const client of open) client.close();
    const again = async () => {
      const connecting = SocketClient.connect(test.relayer.url);
      connecting.then((client) => client.close()).catch(() => {});
      return refusal(connecting);
    };
    await expect.poll(again).toBe('connected');
  });

  it.each([
    ['a text', 'hello', 'MESSAGE_INVALID', /unexpected msg/],
    ['a list', [], 'MESSAGE_INVALID', /unexpected msg/],
    ['an unknown op', { op: 'subscribe', topics: [{ topic: 'ticker', market: 'LRC-ETH' }] }, 'OP_UNKNOWN', /^op/],
    ['no topic', { op: 'sub', topics: [] }, 'TOPIC_MISSING', /empty/],
    ['topics that are no list', { op: 'sub', topics: 'ticker' }, 'TOPIC_MISSING', /not a list/],
    ['nothing to leave', { op: 'unSub', topics: [] }, 'TOPIC_MISSING', /empty/],
    [
      'too much to leave',
      {
        op: 'unSub',
        topics: Array.from({ length: 21 }, (_, count) => ({ topic: 'orderbook', market: 'LRC-ETH', level: 0, count })),
      },
      'TOO_MANY_TOPICS',
      /20 topics at most/,
    ],
    ['a topic without a name', { op: 'sub', topics: [{}] }, 'TOPIC_MISSING', /no topic/],
    [
      'an unknown topic',
      { op: 'sub', topics: [{ topic: 'vaultAccount' }] },
      'TOPIC_UNKNOWN',
      /vaultAccount is unknown; there are account, order/,
    ],
    [
      'a topic twice',
      {
        op: 'sub',
        topics: [
          { topic: 'trade', market: 'LRC-ETH' },
          { topic: 'trade', market: 'lrc-eth' },
        ],
      },
      'TOPIC_DUPLICATE',
      /twice/,
    ],
    ['an unknown market', { op: 'sub', topics: [{ topic: 'trade', market: 'NO-SUCH' }] }, 'TRADE_INVALID', /NO-SUCH/],
    [
      'a candlestick without interval',
      { op: 'sub', topics: [{ topic: 'candlestick', market: 'LRC-ETH' }] },
      'CANDLESTICK_INVALID',
      /interval/,
    ],
    [
      'a level that is too coarse',
      { op: 'sub', topics: [{ topic: 'orderbook', market: 'LRC-ETH', level: 5 }] },
      'ORDERBOOK_INVALID',
      /level/,
    ],
    ...['NO-SUCH', 'AMM-LRC-ETH', 'COMBINE-LRC-ETH', 'NFT-NONE'].map(
      (market) =>
        [
          `orders of ${market}`,
          { op: 'sub', apiKey: 'invented', topics: [{ topic: 'order', market }] },
          'ORDER_INVALID',
          /there is no market/,
        ] as const,
    ),
    ['a ticker of nothing', { op: 'sub', topics: [{ topic: 'ticker' }] }, 'TICKER_INVALID', /market/],
    [
      'an unknown pool',
      { op: 'sub', topics: [{ topic: 'ammpool', poolAddress: `0x${'1'.repeat(40)}` }] },
      'AMMPOOL_INVALID',
      /no pool/,
    ],
    ['an account without key', { op: 'sub', topics: [{ topic: 'account' }] }, 'API_KEY_MISSING', /apiKey/],
    [
      'an invented key',
      { op: 'sub', apiKey: 'invented', topics: [{ topic: 'order', market: 'LRC-ETH' }] },
      'API_KEY_INVALID',
      /unknown or was replaced/,
    ],
    [
      'what was never subscribed',
      { op: 'unSub', topics: [{ topic: 'ticker', market: 'LRC-ETH' }] },
      'SUBSCRIPTION_NOT_FOUND',
      /no subscription/,
    ],
  ] as const)('is told what is wrong with %s', async (_, message, reason, text) => {
    const client = await SocketClient.connect(test.relayer.url);
    const { result } = await client.send(message as object | string);
    expect(result).toEqual({
      status: 'failed',
      error: { code: pushErrors[reason], message: expect.stringMatching(text) },
    });
    client.close();
  });

  it('is told the amounts of each pool that it asks for', async () => {
    const client = await SocketClient.connect(test.relayer.url);
    const addresses = test.relayer.config.market.pools.map(({ address }) => address);
    await client.subscribe(addresses.map((poolAddress) => ({ topic: 'ammpool', poolAddress })));
    const told = await client.of('ammpool', addresses.length);
    const read = addresses.map(async (poolAddress) => {
      const { pooled, lp } = (await test.call('GET', '/api/v3/amm/balance', { query: { poolAddress } })).body;
      return [pooled.map(({ volume }: { volume: string }) => volume), lp.volume];
    });
    expect(told.map(({ data }) => data)).toEqual(await Promise.all(read));
    client.close();
  });

  it('gets back no more of a wrong request than its name and a number', async () => {
    const client = await SocketClient.connect(test.relayer.url);
    const reply = await client.send({ op: 'x'.repeat(1_000), sequence: 'y'.repeat(1_000) });
    expect(reply).toEqual({ op: 'x'.repeat(20), topics: [], result: { status: 'failed', error: expect.anything() } });
    client.close();
  });

  it('does not get the topics of another account, nor of two', async () => {
    const other = await test.account();
    const client = await SocketClient.connect(test.relayer.url);
    const code = async (topics: object[], apiKey: string) =>
      (await client.subscribe(topics, { apiKey })).result.error?.code;
    expect(await code([{ topic: 'account', accountId: other.accountId }], someone.apiKey)).toBe(104105);
    expect(await code([{ topic: 'account', accountId: someone.accountId }], someone.apiKey)).toBeUndefined();
    expect(await code([{ topic: 'account' }], other.apiKey)).toBe(104105);
    client.close();
  });

  it('has twenty topics; a request that is refused changes none of them', async () => {
    const client = await SocketClient.connect(test.relayer.url);
    const book = (level: number, count: number) => ({ topic: 'orderbook', market: 'LRC-ETH', level, count });
    const twenty = [1, 2, 3, 4].flatMap((count) => [0, 1, 2, 3, 4].map((level) => book(level, count)));
    expect((await client.subscribe(twenty)).result.status).toBe('OK');
    expect((await client.subscribe([book(0, 5)])).result.error?.code).toBe(104116);
    // The same again is nothing new.
    expect((await client.subscribe([book(0, 1)])).result.status).toBe('OK');
    const unSub = (topics: object[], more: object = {}) => client.send({ op: 'unSub', topics, ...more });
    expect((await unSub([book(0, 1), book(0, 5)])).result.error?.code).toBe(104113);
    expect((await client.subscribe([book(0, 5)])).result.error?.code).toBe(104116);
    expect((await unSub([book(0, 1)])).result.status).toBe('OK');
    expect((await client.subscribe([book(0, 5)])).result.status).toBe('OK');
    expect(
      (await client.subscribe([{ topic: 'ticker', market: 'LRC-ETH' }], { unsubscribeAll: 'true' })).result.status,
    ).toBe('OK');
    expect((await unSub([book(0, 5)])).result.error?.code).toBe(104113);
    // On an entry it leaves all of that topic, and nothing else.
    expect((await client.subscribe(twenty.slice(0, 10))).result.status).toBe('OK');
    expect((await unSub([{ topic: 'orderbook', unsubscribeAll: true }])).result.status).toBe('OK');
    expect((await unSub([{ topic: 'books', unsubscribeAll: true }])).result.error?.code).toBe(104102);
    expect((await unSub([book(1, 1)])).result.error?.code).toBe(104113);
    expect((await unSub([{ topic: 'ticker', market: 'LRC-ETH' }])).result.status).toBe('OK');
    expect((await unSub([], { unsubscribeAll: true })).result.status).toBe('OK');
    // Without a snapshot subscribers begin with REST.
    expect(client.notifications.map(({ topic }) => topic.topic)).not.toContain('orderbook');
    client.close();
  });

  it('belongs to no account by a request that was refused, nor after its topics were left', async () => {
    const [first, second] = await Promise.all([test.account(), test.account()]);
    const client = await SocketClient.connect(test.relayer.url);
    const many = [1, 2, 3, 4].flatMap((count) =>
      [0, 1, 2, 3, 4].map((level) => ({ topic: 'orderbook', market: 'LRC-ETH', level, count })),
    );
    const order = { topic: 'order' };
    expect((await client.subscribe(many)).result.status).toBe('OK');
    expect((await client.subscribe([order], { apiKey: first.apiKey })).result.error?.code).toBe(104116);
    await client.send({ op: 'unSub', topics: many.slice(0, 2) });
    expect((await client.subscribe([order], { apiKey: second.apiKey })).result.status).toBe('OK');
    expect((await client.subscribe([order], { apiKey: first.apiKey })).result.error?.code).toBe(104105);
    await client.send({ op: 'unSub', topics: [order] });
    expect((await client.subscribe([order], { apiKey: first.apiKey })).result.status).toBe('OK');
    client.close();
  });

  it('ends when the API key of its topics is replaced', async () => {
    const account = await test.account();
    const client = await SocketClient.connect(test.relayer.url);
    await client.subscribe([{ topic: 'account' }], { apiKey: account.apiKey });
    const reply = await account.signed('POST', '/api/v3/apiKey', { body: { accountId: account.accountId } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(await client.closed).toEqual({ code: 4003, reason: 'the API key was replaced' });
  });

  it(
    'ends without a sign of life, and stays with a protocol frame or an unasked pong as one, also after a pause',
    async () => {
      const impatient = await startRelayer({ pushPingMs: 50, pushSilenceMs: 1_000 });
      onTestFinished(() => impatient.close());
      const connecting = [1, 2, 3].map(() => SocketClient.connect(impatient.relayer.url));
      const [silent, chatty, framed] = (await Promise.all(connecting)) as [SocketClient, SocketClient, SocketClient];
      const answers: string[] = [];
      framed.socket.on('pong', (data) => answers.push(data.toString()));
      framed.socket.ping('first');
      const stay = setInterval(() => {
        framed.socket.ping('next');
        // More than the pings that came by then.
        chatty.socket.send('pong');
      }, 100);
      for (let n = 0; n < 5; n++) chatty.socket.send('pong');
      expect((await silent.closed).code).toBe(4002);
      expect(silent.pings.length).toBeGreaterThan(1);
      expect(framed.socket.readyState).toBe(framed.socket.OPEN);
      expect(chatty.socket.readyState).toBe(chatty.socket.OPEN);
      expect(answers.slice(0, 2)).toEqual(['first', 'next']);
      // The process stands still, as on a machine that is paused, and the pings come first then.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      const before = framed.pings.length;
      const pinged = expect.poll(() => framed.pings.length).toBeGreaterThan(before + 3);
      await Promise.race([pinged, framed.closed]);
      expect([framed, chatty].map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
      clearInterval(stay);
      framed.close();
      chatty.close();
    },
    START_TIMEOUT_MS,
  );

  it('ends when it asks too much at once or sends too large a request', async () => {
    const flood = await SocketClient.connect(test.relayer.url);
    for (let n = 0; n < 40; n++) void flood.send('{}');
    expect((await flood.closed).code).toBe(4005);
    const pinging = await SocketClient.connect(test.relayer.url);
    for (let n = 0; n < 40; n++) pinging.socket.ping();
    expect((await pinging.closed).code).toBe(4005);
    const chatty = await SocketClient.connect(test.relayer.url);
    for (let n = 0; n < 40; n++) chatty.socket.send('pong');
    expect((await chatty.closed).code).toBe(4005);
    const large = await SocketClient.connect(test.relayer.url);
    void large.send('x'.repeat(20_000));
    expect((await large.closed).code).toBe(1009);
  });

  it('answers a ping beside as many requests as it is allowed', async () => {
    const client = await SocketClient.connect(test.relayer.url);
    await expect.poll(() => client.pings.length).toBeGreaterThan(0);
    client.socket.send('pong');
    const request = { op: 'sub', topics: [{ topic: 'trade', market: 'LRC-ETH' }] };
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.send(request)));
    expect(replies.map(({ result }) => result.status)).toEqual(Array(20).fill('OK'));
    client.close();
  });

  it('hears that its topics are in force when they are, and not while they are being read', async () => {
    const client = await SocketClient.connect(test.relayer.url);
    let isTold = false;
    const topics = [{ topic: 'orderbook', market: 'LRC-ETH', level: 0 }];
    let reply: Promise<unknown> = Promise.resolve();
    // The embedded database has one connection: the book is read after this transaction.
    await test.relayer.db.transaction(async () => {
      reply = client.subscribe(topics).then(({ result }) => {
        isTold = true;
        return result;
      });
      // The relayer answers frames in their order: at the second pong it has had the request for a
      // while.
      for (let n = 0; n < 2; n++) {
        client.socket.ping();
        await once(client.socket, 'pong');
      }
      expect(isTold).toBe(false);
    });
    expect(await reply).toEqual({ status: 'OK' });
    client.close();
  });

  it('ends when it goes on to ask while nothing is answered, because the database is slow', async () => {
    const client = await SocketClient.connect(test.relayer.url);
    const topics = [{ topic: 'account' }];
    let asked = 0;
    // The embedded database has one connection: no request is answered before this transaction
    // ends.
    await test.relayer.db.transaction(async () => {
      for (; client.socket.readyState === client.socket.OPEN && asked < 100; asked++) {
        void client.subscribe(topics, { apiKey: someone.apiKey });
        await sleep(60);
      }
    });
    expect(await client.closed).toMatchObject({
      code: closeCodes.tooManyRequests,
      reason: expect.stringMatching(/answered/),
    });
    expect(asked).toBeGreaterThanOrEqual(40);
  });
});

/** A connection that nobody is at the other end of. */
function withoutClient(
  stream: PassThrough,
  closed: (connection: Connection, reason: string) => void,
  readyState: number = WebSocket.OPEN,
): Connection {
  const facts = { readyState, OPEN: WebSocket.OPEN, bufferedAmount: 0, send: () => {}, close: () => {} };
  const socket = Object.assign(new EventEmitter(), facts) as unknown as WebSocket;
  const limits = { queueBytes: 1_000, silenceMs: 60_000, messagesPerSecond: 20 };
  return new Connection(socket, stream, limits, () => {}, closed);
}

describe('attempts to connect', () => {
  it(
    'come to no more connections at once than a process takes, and to as many again after their end',
    async () => {
      const test = await startRelayer({ maxPushConnections: 2 });
      onTestFinished(() => test.close());
      const attempt = async () => {
        const keys = await Promise.all(Array.from({ length: 5 }, () => SocketClient.key(test.relayer.url)));
        const ends = await Promise.allSettled(keys.map((key) => SocketClient.connect(test.relayer.url, key)));
        const open = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
        const refused = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
        for (const client of open) client.close();
        expect(new Set(refused)).toEqual(new Set([expect.stringContaining('503')]));
        return open.length;
      };
      expect(await attempt()).toBe(2);
      await expect.poll(() => test.metric('push_connections')).toBe(0);
      expect(await attempt()).toBe(2);
    },
    START_TIMEOUT_MS,
  );

  it(
    'are limited by address, before the database is asked for their key',
    async () => {
      const test = await startRelayer({ requestsPerSecond: 1 });
      onTestFinished(() => test.close());
      const attempts = Array.from({ length: 40 }, (_, index) =>
        SocketClient.connect(test.relayer.url, `invented-${index}`).then(
          () => 'connected',
          (error: Error) => /\d{3}/.exec(error.message)?.[0],
        ),
      );
      const outcomes = await Promise.all(attempts);
      expect(new Set(outcomes)).toEqual(new Set(['401', '429']));
      const refused = outcomes.filter((outcome) => outcome === '429').length;
      expect(await test.metric('push_refused_total{status="429"}')).toBe(refused);
    },
    START_TIMEOUT_MS,
  );
});

describe('a client whose close frame was answered', () => {
  it.each([
    ['nothing', WebSocket.CLOSING, 0],
    ['what is told, as long as it is open', WebSocket.OPEN, 7],
  ] as const)('is sent %s', (_, readyState, bytes) => {
    const stream = new PassThrough();
    withoutClient(stream, () => {}, readyState).send('hello');
    expect(stream.readableLength).toBe(bytes);
  });
});

/** A client that does not read any more, and the relayer's end of its connection. */
async function deafClient(limits: ConnectionLimits) {
  const { noServer: _, ...options } = SOCKET_OPTIONS;
  const server = new WebSocketServer({ ...options, port: 0, host: '127.0.0.1' });
  await new Promise((listening) => server.once('listening', listening));
  const reasons: string[] = [];
  const connected = new Promise<Connection>((resolve) => {
    server.once('connection', (socket, { socket: stream }) => {
      resolve(
        new Connection(
          socket,
          stream,
          limits,
          () => {},
          (_, reason) => reasons.push(reason),
        ),
      );
    });
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const closed = new Promise<number>((resolve) => client.once('close', resolve));
  const connection = await connected;
  await new Promise((opened) => (client.readyState === client.OPEN ? opened(null) : client.once('open', opened)));
  client.pause();
  return { client, connection, closed, reasons, stop: () => server.close() };
}

describe('a client that does not read', () => {
  const queueBytes = 100_000;

  it('is sent away with a code, and takes no more memory than its queue', async () => {
    const limits = { queueBytes, silenceMs: 60_000, messagesPerSecond: 20 };
    const { client, connection, closed, reasons, stop } = await deafClient(limits);
    const message = 'x'.repeat(10_000);
    let sent = 0;
    // The system's own buffers hold megabytes before anything waits here.
    for (; connection.isOpen && sent < 10_000; sent++) {
      connection.send(message);
      expect(connection.waiting).toBeLessThanOrEqual(queueBytes);
      if (sent % 5 === 0) await new Promise(setImmediate);
    }
    expect(reasons).toEqual(['tooSlow']);
    const waiting = connection.waiting;
    for (let n = 0; n < 1_000; n++) connection.send(message);
    expect(connection.waiting).toBe(waiting);
    client.resume();
    expect(await closed).toBe(closeCodes.tooSlow);
    stop();
  });

  it('takes no more memory by protocol pings either', async () => {
    const limits = { queueBytes, silenceMs: 60_000, messagesPerSecond: Number.POSITIVE_INFINITY };
    const { client, connection, closed, reasons, stop } = await deafClient(limits);
    const ping = Buffer.alloc(125);
    let most = 0;
    for (let sent = 0; connection.isOpen && sent < 200_000; sent++) {
      await new Promise((written) => client.ping(ping, true, written));
      if (connection.isOpen) most = Math.max(most, connection.waiting);
      if (most > 2 * queueBytes) break;
    }
    expect(reasons).toEqual(['tooSlow']);
    expect(most).toBeLessThanOrEqual(queueBytes);
    // What it goes on to send is not answered.
    const { waiting } = connection;
    for (let n = 0; n < 1_000; n++) await new Promise((written) => client.ping(ping, true, written));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(connection.waiting).toBe(waiting);
    client.resume();
    expect(await closed).toBe(closeCodes.tooSlow);
    stop();
  });
});

describe('a client that ends while its topic is read', () => {
  it.each([
    ['account', { topic: 'account' }],
    ['market', { topic: 'orderbook', market: 'LRC-ETH', level: 0 }],
  ] as const)('leaves nothing that looks at the database: topic of %s', async (_, topic) => {
    const { db } = quiet.relayer;
    let asked = 0;
    let read = () => {};
    const query: Db['query'] = async (text, values) => {
      asked += 1;
      read();
      return db.query(text, values);
    };
    const hub = await hubOn(query);
    const client = withoutClient(new PassThrough().resume(), (connection) => hub.leave(connection));
    read = () => client.close('goingAway', 'it ends');
    await hub.subscribe(client, topic, 10_000);
    expect(asked).toBeGreaterThan(0);
    asked = 0;
    hub.wake();
    await hub.stop();
    expect(asked).toBe(0);
  });
});

describe('a look of which one read fails', () => {
  it('is not repeated while its other reads go on, so that each trade is told once', async () => {
    const market = 'LRC-ETH';
    const trade = { id: 7, side: 'SELL', taker_sold: ether, taker_bought: ether, taker_fee: 0n, market };
    let version = 1;
    let broken = false;
    let failures = 0;
    let reads = 0;
    let open = () => {};
    const latch = new Promise<void>((resolve) => {
      open = resolve;
    });
    const query = async (text: string, [, after]: readonly number[] = []) => {
      if (text.includes('FROM books')) return [{ market, mix_version: version }];
      if (text.includes('FROM candles')) {
        if (!broken) return [];
        failures += 1;
        throw new Error('the candles cannot be read');
      }
      reads += 1;
      if (version === 1) return [];
      await latch;
      return [trade].filter(({ id }) => id > (after as number));
    };
    const hub = await hubOn(query);
    const stream = new PassThrough();
    let text = '';
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
    });
    const client = withoutClient(stream, () => {});
    await hub.subscribe(client, { topic: 'candlestick', market, interval: '1min' }, undefined);
    await hub.subscribe(client, { topic: 'trade', market }, undefined);
    hub.wake();
    await expect.poll(() => reads).toBe(2);
    broken = true;
    version += 1;
    const toldTimes = () => text.split('"topic":"trade"').length - 1;
    await expect
      .poll(() => {
        hub.wake();
        return failures;
      })
      .toBe(1);
    hub.wake();
    await sleep(500);
    const meanwhile = { failures, reads };
    broken = false;
    open();
    await expect.poll(toldTimes).toBeGreaterThan(0);
    await sleep(500);
    expect({ ...meanwhile, told: toldTimes() }).toEqual({ failures: 1, reads: 3, told: 1 });
    await hub.stop();
  });
});

describe('a market that changes while clients listen', () => {
  const market = 'LRC-ETH';

  it('is told with the trades of a pool that was listed meanwhile', async () => {
    const config = { dev: true, market: { ...developmentMarket, pools: developmentMarket.pools.slice(1) } };
    const test = await startRelayer(config);
    onTestFinished(() => test.close());
    const client = await SocketClient.connect(test.relayer.url);
    await client.subscribe([
      { topic: 'mixtrade', market },
      { topic: 'candlestick', market, interval: '1hr' },
      { topic: 'mixorder', market, level: 0, snapshot: true },
    ]);
    await applySettings(test.relayer.db, readConfig({ dev: true, market: developmentMarket }), 0);
    const pools = async () => (await test.call('GET', '/api/v3/amm/pools')).body.pools.length;
    await expect.poll(pools).toBe(developmentMarket.pools.length);
    const taker = await test.account();
    const order = await taker.order([ETH, ether], [LRC, 10_000n * ether], { tradeChannel: 'AMM_POOL' });
    expect((await taker.submit(order)).status).toBe(200);
    await test.block();
    const [trades] = await client.of('mixtrade', 1);
    expect(trades?.data).toHaveLength(1);
    await client.of('candlestick', 1);
    await client.of('mixorder', (found) => found.at(-1)?.data.asks.length === 50);
    client.close();
  });

  it('is told with another fee of its pool, and without the pool once it is closed, though nobody trades', async () => {
    const test = await startRelayer();
    onTestFinished(() => test.close());
    const rest = async () => (await test.call('GET', '/api/v3/mix/depth', { query: { market } })).body;
    const holder = await test.account();
    await holder.post('/api/v3/amm/join', await holder.join(LRC_ETH_POOL, [1_500n * ether, ether / 5n]));
    // The engine makes the books.
    await test.block();
    const client = await SocketClient.connect(test.relayer.url);
    await client.subscribe([{ topic: 'mixorder', market, level: 0 }]);
    const before = await rest();
    const book = new Book(before);
    const apply = (change: object) => {
      const pools = developmentMarket.pools.map((pool) => ({ ...pool, ...change }));
      return applySettings(test.relayer.db, readConfig({ dev: true, market: { ...developmentMarket, pools } }), 0);
    };
    let applied = 0;
    const told = async (isThere: (slots: Book['slots']) => boolean) => {
      await client.of('mixorder', (found) => {
        for (const message of found.slice(applied)) expect(book.apply(message as never)).toBe(true);
        applied = found.length;
        return isThere(book.slots);
      });
      const { version, bids, asks } = await rest();
      expect({ version: book.version, ...book.slots }).toEqual({ version, bids, asks });
    };
    await apply({ feeBips: 60 });
    await told(({ asks }) => asks.length > 0 && asks[0]?.[0] !== before.asks[0][0]);
    await apply({ feeBips: 60, enabled: false });
    await told(({ bids, asks }) => bids.length + asks.length === 0);
    // Who has a share of it can leave, and the pool tells.
    await client.subscribe([{ topic: 'ammpool', poolAddress: LRC_ETH_POOL.address }]);
    await client.of('ammpool', 1);
    await holder.post(
      '/api/v3/amm/exit',
      await holder.exit(LRC_ETH_POOL, (await holder.balance(LRC_ETH_POOL.lp)).total),
    );
    await test.block();
    const [first, second] = await client.of('ammpool', 2);
    expect(second?.data).not.toEqual(first?.data);
    client.close();
  });

  it('is told with a trade of two orders that were never in the book', async () => {
    const test = await startRelayer();
    onTestFinished(() => test.close());
    const market = 'LRC-USDT';
    const tokens = ['ETH', 'LRC', 'USDT'].map((symbol) => ({ symbol, amount: String(100n * ether) }));
    const [seller, buyer] = [await test.account(tokens), await test.account(tokens)];
    // Reaches the price of the next one, which therefore waits for the engine's matching.
    await seller.placed([USDT, 2_000_000n], [LRC, 10n * ether]);
    await test.block();
    const client = await SocketClient.connect(test.relayer.url);
    const topics = ['trade', 'mixtrade', 'candlestick'];
    await client.subscribe(topics.map((topic) => ({ topic, market, interval: '1hr' })));
    await firstPoll(test);
    // The engine gets both at once.
    await seller.placed([LRC, 10n * ether], [USDT, 1_500_000n]);
    await buyer.placed([USDT, 1_500_000n], [LRC, 10n * ether], { orderType: 'TAKER_ONLY' });
    await test.block();
    for (const topic of topics) await client.of(topic, 1);
    client.close();
  });

  it('is looked at, however often a client subscribes again', async () => {
    let looks = 0;
    const query = async (text: string) => {
      if (text.includes('FROM books')) looks += 1;
      return [];
    };
    const hub = await hubOn(query);
    const client = withoutClient(new PassThrough().resume(), () => {});
    for (let n = 0; n < 15; n++) {
      await hub.subscribe(client, { topic: 'trade', market }, undefined);
      await sleep(100);
    }
    expect(looks).toBeGreaterThan(1);
    await hub.stop();
  });

  it('is told without the trades of more than a day ago, although nothing else has changed', async () => {
    const test = await startRelayer();
    onTestFinished(() => test.close());
    const taker = await test.account();
    await taker.submit(await taker.order([ETH, ether], [LRC, 10_000n * ether], { tradeChannel: 'AMM_POOL' }));
    await test.block();
    const client = await SocketClient.connect(test.relayer.url);
    await client.subscribe([{ topic: 'ticker', market }]);
    expect((await client.of('ticker', 1))[0]?.data[8]).toBe('1');
    await firstPoll(test);
    await test.advance(candleIntervals['1d'] + candleIntervals['1min']);
    await client.of('ticker', (found) => found.at(-1)?.data[8] === '0');
    client.close();
  });

  it('is told with the next minute as it is, because a client may have read a price in between', async () => {
    const test = await startRelayer();
    onTestFinished(() => test.close());
    const client = await SocketClient.connect(test.relayer.url);
    await client.subscribe([{ topic: 'ticker', market }]);
    const [first] = await client.of('ticker', 1);
    await firstPoll(test);
    await test.advance(candleIntervals['1min']);
    const [, second] = await client.of('ticker', 2);
    expect(second?.data.with(1, '')).toEqual(first?.data.with(1, ''));
    client.close();
  });

  it('is told with the last trade of a candle that has ended, before the next one', async () => {
    const candle = (minute: number, trades: number) => ({
      open_at: minute * candleIntervals['1min'],
      ...{ trades, open: 1n, close: 1n, high: 1n, low: 1n, base_volume: 1n, quote_volume: 1n },
    });
    let version = 1;
    let candles = [candle(6, 1), candle(5, 4)];
    const query = async (text: string) => (text.includes('FROM books') ? [{ market, mix_version: version }] : candles);
    const hub = await hubOn(query);
    const stream = new PassThrough();
    const told: string[][] = [];
    stream.on('data', (frame: Buffer) => told.push(JSON.parse(frame.toString().replace(/^[^{]*/, '')).data));
    const client = withoutClient(stream, () => {});
    await hub.subscribe(client, { topic: 'candlestick', market, interval: '1min' }, undefined);
    candles = [candle(7, 1), candle(6, 3)];
    version += 1;
    hub.wake();
    await expect
      .poll(() => told.map(([openedAt, trades]) => [Number(openedAt) / 60_000, trades]))
      .toEqual([
        [6, '3'],
        [7, '1'],
      ]);
    await hub.stop();
  });
});

describe('a pool whose amounts change and come back before anybody looks', () => {
  it('is told again, because a client may have read them in between', async () => {
    const test = await startRelayer();
    onTestFinished(() => test.close());
    await test.block();
    const { db } = test.relayer;
    const catalog = await loadCatalog(db);
    const hub = createPushHub({
      ...{ db, histories: db },
      clock: { now: Date.now },
      metrics: createMetrics(),
      catalog,
    } as unknown as Relayer);
    const stream = new PassThrough();
    const told: unknown[] = [];
    stream.on('data', (frame: Buffer) => told.push(JSON.parse(frame.toString().replace(/^[^{]*/, '')).data));
    const topic = { topic: 'ammpool', poolAddress: LRC_ETH_POOL.address } as const;
    const begin = await hub.subscribe(
      withoutClient(stream, () => {}),
      topic,
      undefined,
    );
    begin();
    await expect.poll(() => told.length).toBe(1);
    await db.transaction(async (tx) => {
      const { accountId } = catalog.pool(LRC_ETH_POOL.address) ?? {};
      for (const change of [1, -1])
        await tx.query('UPDATE balances SET total = total + $2 WHERE account_id = $1', [accountId ?? 0, change]);
      await tx.query('UPDATE books SET mix_version = mix_version + 2');
    });
    hub.wake();
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]).toEqual(told[0]);
    await hub.stop();
  });
});

describe('two processes on one PostgreSQL', () => {
  it('tell the same changes, whoever made them; a key of one opens a connection to the other', async () => {
    const database = await createDatabase();
    const options = { databaseUrl: database.url, engine: 'timer', engineIntervalMs: 20 } as const;
    const processes = await Promise.all([startRelayer(options), startRelayer(options)]);
    const [first, second] = processes as [TestRelayer, TestRelayer];
    try {
      const maker = await first.account();
      const clients = await Promise.all([
        SocketClient.connect(first.relayer.url, await SocketClient.key(second.relayer.url)),
        SocketClient.connect(second.relayer.url, await SocketClient.key(first.relayer.url)),
      ]);
      const market = 'LRC-USDT';
      for (const client of clients) {
        const topics = [{ topic: 'orderbook', market, level: 0 }, { topic: 'order' }, { topic: 'account' }];
        expect((await client.subscribe(topics, { apiKey: maker.apiKey })).result.status).toBe('OK');
      }
      const rest = async (relayer: TestRelayer) =>
        (await relayer.call('GET', '/api/v3/depth', { query: { market } })).body;
      const books = await Promise.all([first, second].map(async (relayer) => new Book(await rest(relayer))));
      const hashes: string[] = [];
      const validUntil = await maker.inSeconds(3_600);
      for (let n = 0; n < 6; n++) {
        const price = [USDT, BigInt(5_000_000 + n * 100_000)] as const;
        hashes.push(await maker.placed([LRC, 20n * ether], price, { storageId: 2 * n, validUntil }));
      }
      await maker.cancel({ orderHash: hashes[0] as string });
      const done = (found: readonly { data: { hash: string; status: string } }[]) =>
        found.some(({ data }) => data.hash === hashes[0] && data.status === 'cancelled');
      const asks = async () => (await rest(second)).asks.map(([price]: Slot) => price);
      await expect.poll(asks).toEqual(['0.255', '0.26', '0.265', '0.27', '0.275']);
      const last = await rest(second);
      for (const [index, client] of clients.entries()) {
        const orders = await client.of('order', done);
        expect(new Set(orders.map(({ data }) => data.hash))).toEqual(new Set(hashes));
        const book = books[index] as Book;
        let applied = 0;
        await client.of('orderbook', (found) => {
          for (const message of found.slice(applied)) expect(book.apply(message)).toBe(true);
          applied = found.length;
          return JSON.stringify(book.slots) === JSON.stringify({ bids: last.bids, asks: last.asks });
        });
      }
      // The same versions, the same slots.
      expect(books[0]?.slots).toEqual(books[1]?.slots);
      expect(books.map(({ version }) => version)).toEqual([(await rest(first)).version, (await rest(second)).version]);
      const balances = clients.map(
        (client) => client.notifications.filter(({ topic }) => topic.topic === 'account').at(-1)?.data,
      );
      expect(balances[0]).toEqual(balances[1]);

      await first.relayer.close();
      expect(await clients[0]?.closed).toMatchObject({ code: closeCodes.goingAway });
      clients[1]?.close();
    } finally {
      await Promise.all(processes.map((relayer) => relayer.close()));
      await database.drop();
    }
  });
});

describe('a process that could not look for too long', () => {
  it('sends the subscribers of accounts away, because it may have missed changes', async () => {
    const test = await startRelayer();
    onTestFinished(() => test.close());
    const account = await test.account();
    const { db } = test.relayer;
    let skippedMs = 0;
    let reads = 0;
    /** The database, whose clock goes on while nobody looks. */
    const query: Db['query'] = async (text, values) => {
      const rows = await db.query<{ at?: number }>(text, values);
      if (rows.some(({ at }) => at !== undefined)) reads += 1;
      return rows.map((row) => (row.at === undefined ? row : { ...row, at: row.at + skippedMs })) as never;
    };
    const hub = createPushHub({
      db: { ...db, query },
      clock: { now: Date.now },
      metrics: createMetrics(),
    } as unknown as Relayer);
    const ends: string[] = [];
    const client = withoutClient(new PassThrough().resume(), (_, reason) => ends.push(reason));
    await hub.subscribe(client, { topic: 'account' }, account.accountId);
    skippedMs = CHANGES_KEPT_MS / 2 - 60_000;
    hub.wake();
    // A read that begins after another one has ended: the first one is followed by all that it has
    // to say.
    const before = reads;
    await expect.poll(() => reads).toBeGreaterThan(before + 1);
    expect(ends).toEqual([]);
    skippedMs += CHANGES_KEPT_MS / 2 + 60_000;
    hub.wake();
    await expect.poll(() => ends).toEqual(['lost']);
    await hub.stop();
  });
});

describe('an account', () => {
  it('is told of its changes, and subscribed to, while lists of markets are slow', async () => {
    const test = await startRelayer();
    const account = await test.account();
    const { db } = test.relayer;
    const market = 'LRC-ETH';
    let version = 1;
    let lists = Promise.resolve();
    let waiting = 0;
    const query: Db['query'] = async (text, values) =>
      text.includes('FROM books') ? ([{ market, mix_version: version }] as never) : db.query(text, values);
    const hub = createPushHub({
      db: { ...db, query },
      histories: {
        query: async () => {
          waiting += 1;
          await lists;
          waiting -= 1;
          return [];
        },
      },
      clock: { now: Date.now },
      metrics: createMetrics(),
      catalog: await loadCatalog(db),
    } as unknown as Relayer);
    const told: unknown[] = [];
    const stream = new PassThrough();
    stream.on('data', (frame: Buffer) => told.push(JSON.parse(frame.toString().replace(/^[^{]*/, '')).topic));
    const client = withoutClient(stream, () => {});
    await hub.subscribe(client, { topic: 'trade', market }, undefined);
    await hub.subscribe(client, { topic: 'account' }, account.accountId);
    let open = () => {};
    lists = new Promise((resolve) => {
      open = resolve;
    });
    version += 1;
    hub.wake();
    await expect.poll(() => waiting).toBe(1);
    await db.query('UPDATE balances SET pending_deposit = pending_deposit + 1 WHERE account_id = $1 AND token_id = 0', [
      account.accountId,
    ]);
    await hub.subscribe(client, { topic: 'account', v3: true }, account.accountId);
    hub.wake();
    await expect.poll(() => told).toEqual([{ topic: 'account' }, { topic: 'account', v3: true }]);
    expect(waiting).toBe(1);
    open();
    await hub.stop();
    await test.close();
  });

  it.each(['custom', 'generic'] as const)(
    'with many NFTs costs what changed, at its subscription and at each change: %s plan',
    async (plan) => {
      const test = await startRelayer();
      const { accountId } = await test.account();
      const { db } = test.relayer;
      await db.query(
        `INSERT INTO balances (account_id, token_id, total) SELECT $1::bigint, 32768 + n, 1 FROM generate_series(0, 9999) AS n`,
        [accountId],
      );
      const asked: Parameters<Db['query']>[] = [];
      const query: Db['query'] = (text, values) => {
        asked.push([text, values]);
        return db.query(text, values);
      };
      const hub = createPushHub({
        db: { ...db, query },
        clock: { now: Date.now },
        metrics: createMetrics(),
      } as unknown as Relayer);
      const told: unknown[] = [];
      const stream = new PassThrough();
      stream.on('data', (frame: Buffer) => told.push(JSON.parse(frame.toString().replace(/^[^{]*/, '')).data));
      await hub.subscribe(
        withoutClient(stream, () => {}),
        { topic: 'account', v3: true },
        accountId,
      );
      await db.query('UPDATE balances SET total = 2 WHERE account_id = $1 AND token_id IN (0, 32768)', [accountId]);
      await expect.poll(() => told.length).toBeGreaterThan(0);
      await hub.stop();
      expect(told).toEqual([
        { accountId, tokenId: 0, total: '2', locked: '0' },
        { accountId, tokenId: 32_768, total: '2', locked: '0' },
      ]);
      let rows = 0;
      for (const [text, values] of asked) rows += await rowsReadPlanned(db, plan, text, values);
      expect(rows).toBeLessThan(100);
      await test.close();
    },
  );
});

describe('changes of accounts', () => {
  it('are read once, by whatever order transactions began and ended', async () => {
    const database = await createDatabase();
    const test = await startRelayer({ databaseUrl: database.url });
    const { db } = test.relayer;
    try {
      const [early, late] = [await test.account(), await test.account()];
      const ids = [early.accountId, late.accountId];
      const touch = (sql: Sql, accountId: number) =>
        sql.query('UPDATE balances SET pending_deposit = pending_deposit + 1 WHERE account_id = $1 AND token_id = 0', [
          accountId,
        ]);
      let look = await readAccountChanges(db, undefined, ids);
      const next = async () => {
        look = await readAccountChanges(db, look, ids);
        return look.balances.map(([accountId]) => accountId);
      };
      let commitEarly = () => {};
      const began = new Promise<void>((resolve) => {
        void db.transaction(async (tx) => {
          await touch(tx, early.accountId);
          resolve();
          await new Promise<void>((commit) => {
            commitEarly = commit;
          });
        });
      });
      await began;
      await db.transaction((tx) => touch(tx, late.accountId));
      expect(await next()).toEqual([late.accountId]);
      expect(await next()).toEqual([]);
      commitEarly();
      await expect.poll(next).toEqual([early.accountId]);
      expect(await next()).toEqual([]);
      await db
        .transaction((tx) => touch(tx, early.accountId).then(() => Promise.reject(new Error('undone'))))
        .catch(() => {});
      expect(await next()).toEqual([]);
      expect((await readAccountChanges(db, undefined, ids)).balances).toEqual([]);

      // After a crash numbers are given again that the last snapshot had seen.
      const [, last] = look.snapshot.split(':');
      look = { ...look, snapshot: `${Number(last) + 100}:${Number(last) + 100}:` };
      await sleep(5);
      await touch(db, late.accountId);
      expect(await next()).toEqual([late.accountId]);
      expect(await next()).toEqual([]);

      // What a process may still have to read stays.
      await db.query(`UPDATE account_changes SET changed_at = now() - interval '4 minutes'`);
      const kept = await db.query('SELECT 1 FROM account_changes');
      await forgetAccountChanges(db);
      expect(await db.query('SELECT 1 FROM account_changes')).toHaveLength(kept.length);
      await db.query(`UPDATE account_changes SET changed_at = now() - interval '6 minutes'`);
      await forgetAccountChanges(db);
      expect(await db.query('SELECT 1 FROM account_changes')).toEqual([]);
    } finally {
      await test.close();
      await database.drop();
    }
  });
});
