import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { lrcEth } from '../../examples/marketMaker/lrcEth.ts';
import {
  type MarketMakerOptions,
  type MarketMakerResult,
  startMarketMaker,
} from '../../examples/marketMaker/marketMaker.ts';
import type { Quote } from '../../examples/marketMaker/ownOrders.ts';
import type { Ports } from '../../src/background/ports.ts';
import type { RelayerClient, Socket } from '../../src/client/index.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import type { StandingApproval } from '../../src/viem/index.ts';
import { balanceOf, PASSWORD, question, resultOf, SITE, seal, setUp, until } from '../background/support.ts';
import { auditDatabase } from '../relayer/support/audit.ts';
import { START_TIMEOUT_MS } from '../relayer/support/databases.ts';
import { startOnPostgres, type TestRelayer } from '../relayer/support/startRelayer.ts';
import { TestAccount } from '../relayer/support/testAccount.ts';
import { ETH, ether, LRC } from '../relayer/support/tokens.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { createPageProvider } from './pageProvider.ts';

let server: TestRelayer;
let relayer: RunningRelayer;
beforeAll(async () => {
  server = await startOnPostgres({ engine: 'timer' });
  relayer = server.relayer;
}, START_TIMEOUT_MS);
afterAll(() => server.close());

/** Approves the standing approvals that the market maker asks for, exactly as shown. */
async function approve(wallet: WalletHarness, times: number) {
  for (let n = 0; n < times; n++) {
    const view = await question(wallet);
    await wallet.ui('approve', {
      id: view.id,
      digest: view.digest ?? '',
      account: view.account?.id ?? null,
      password: PASSWORD,
    });
    await until(async () => (await wallet.ui('listApprovals', {})).every(({ id }) => id !== view.id));
  }
}

/** Sockets that the test cuts, and keeps cut while it likes. */
function cuttableSockets() {
  let last: WebSocket | undefined;
  let isCut = false;
  return {
    openSocket: (url: string) => {
      if (isCut) throw new Error('cut');
      last = new WebSocket(url);
      return last as unknown as Socket;
    },
    backOff: () => 50,
    cut: () => {
      isCut = true;
      last?.terminate();
    },
    mend: () => {
      isCut = false;
    },
  };
}

/** Sockets whose messages are heard another way. */
const socketsWith = (changed: (hear: (event: unknown) => void) => (event: unknown) => void) => ({
  openSocket: (url: string): Socket => {
    const socket = new WebSocket(url) as unknown as Socket;
    return new Proxy(socket, {
      get: (_, name) => {
        const value = Reflect.get(socket, name);
        return typeof value === 'function' ? value.bind(socket) : value;
      },
      set: (_, name, value) => Reflect.set(socket, name, name === 'onmessage' && value ? changed(value) : value),
    });
  },
});

/** On both sides together. */
const QUOTES = 20;
const SALE = 100n * ether;
const PURCHASE = (67n * ether) / 10_000n;

async function begin(changes: Partial<MarketMakerOptions> = {}, ports: Partial<Ports> = {}) {
  const page = createPageProvider(SITE);
  const stage = await setUp(relayer, { ...page.ports, ...ports });
  const { wallet } = stage;
  const sockets = cuttableSockets();
  const started = startMarketMaker({
    ...lrcEth(),
    provider: page.providerOf(wallet),
    relayerUrl: relayer.url,
    ...sockets,
    ...changes,
  });
  await approve(wallet, 2);
  return { ...stage, sockets, providerOf: page.providerOf, maker: await started };
}

/** An account of somebody else, with its own key. */
async function openTrader() {
  const trader = new TestAccount(server.place);
  await trader.faucet([
    { symbol: 'LRC', amount: String(200_000n * ether) },
    { symbol: 'ETH', amount: String(20n * ether) },
  ]);
  await trader.activate();
  const validUntil = await trader.inSeconds(7_200);
  const next = { [LRC]: 0, [ETH]: 0 };
  /** Sells one for at least so much of the other. @returns The hash. */
  const send = async (sell: readonly [typeof LRC | typeof ETH, bigint], least: bigint, orderType: string) => {
    const [token] = sell;
    next[token] += 2;
    const other = token === LRC ? ETH : LRC;
    const order = await trader.order(sell, [other, least], { orderType, validUntil, storageId: next[token] });
    const { status, body } = await trader.submit(order);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.hash as string;
  };
  return { trader, send };
}

/** What one LRC costs, in millionths of an ETH. */
const inEth = (lrc: bigint, price: bigint) => (lrc * price) / 1_000_000n;
const inLrc = (eth: bigint, price: bigint) => (eth * 1_000_000n) / price;

/** Takes so much of each side that has quotes. */
async function sweep(quotes: readonly Quote[], lrc: bigint, send: Awaited<ReturnType<typeof openTrader>>['send']) {
  const sides = new Set(quotes.map(({ side }) => side));
  if (sides.has('BUY')) await send([LRC, lrc], inEth(lrc, 60n), 'TAKER_ONLY');
  if (sides.has('SELL')) await send([ETH, inEth(lrc, 67n)], inLrc(inEth(lrc, 67n), 75n), 'TAKER_ONLY');
}

const openOrders = async (accountId: number): Promise<number> => {
  const sql = `SELECT count(*)::int AS n FROM orders WHERE account_id = $1 AND status = 'processing'`;
  const [row] = await relayer.db.query<{ n: number }>(sql, [accountId]);
  return row?.n ?? 0;
};

/** Orders are placed and cancelled one by one, on a machine that may be busy. */
const untilOpen = (accountId: number, isRight: (count: number) => boolean) =>
  expect.poll(async () => isRight(await openOrders(accountId)), { interval: 100 }).toBe(true);

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const balancesOf = async (client: RelayerClient, account: { accountId: number; apiKey: string }) => ({
  lrc: await balanceOf(client, account, LRC),
  eth: await balanceOf(client, account, ETH),
});

const ordersIn = async (accountId: number): Promise<number> => {
  const [row] = await relayer.db.query<{ n: number }>('SELECT count(*)::int AS n FROM orders WHERE account_id = $1', [
    accountId,
  ]);
  return row?.n ?? 0;
};

test('stops when it is asked: every quote is cancelled and the standing approvals are given back', async () => {
  const { maker, wallet, account } = await begin({ levels: 2 });
  await untilOpen(account.accountId, (count) => count === 4);
  const { reason, orders } = await maker.stop();
  expect(reason).toBe('asked');
  expect(orders.map(({ status }) => status)).toEqual(orders.map(() => 'cancelled'));
  expect(await openOrders(account.accountId)).toBe(0);
  expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toEqual([]);
  expect(wallet.shown).toHaveLength(2);
});

test('gives the first standing approval back when the user rejects the second', async () => {
  const page = createPageProvider(SITE);
  const { wallet } = await setUp(relayer, page.ports);
  const started = startMarketMaker({ ...lrcEth(), provider: page.providerOf(wallet), relayerUrl: relayer.url });
  const failed = expect(started).rejects.toMatchObject({ name: 'RejectedError' });
  await approve(wallet, 1);
  const { id } = await question(wallet);
  expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toHaveLength(1);
  await wallet.ui('reject', { id, block: false });
  await failed;
  expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toEqual([]);
});

test('ends when the user stops a standing approval, and a window for each ten cancels what is open', async () => {
  const { maker, wallet, account } = await begin();
  await untilOpen(account.accountId, (count) => count === QUOTES);
  const ended = expect(maker.done).rejects.toThrow('a standing approval has ended: user');
  await wallet.ui('stopStanding', { id: null });
  await approve(wallet, 2);
  await ended;
  expect(await openOrders(account.accountId)).toBe(0);
  expect(maker.quotes()).toEqual([]);
  expect(wallet.shown).toHaveLength(4);
});

test('ends without the other standing approval when the user stops one', async () => {
  const { maker, wallet } = await begin({ levels: 1 });
  const [buying] = resultOf<{ id: string }[]>(await wallet.page(SITE, 'relayer_getStandingApprovals'));
  maker.done.catch(() => undefined);
  await wallet.ui('stopStanding', { id: buying?.id ?? '' });
  await until(async () => resultOf<[]>(await wallet.page(SITE, 'relayer_getStandingApprovals')).length === 0);
});

test.each([
  { minPrice: '0.000065' },
  { rate: { requests: 999, seconds: 60 } },
  { rate: { requests: 1_000, seconds: 61 } },
])('asks for new limits when those in force are wider than %j', async (narrower) => {
  const page = createPageProvider(SITE);
  const { wallet } = await setUp(relayer, page.ports);
  const { limits, ...rest } = lrcEth();
  const earlier = [
    { ...limits.SELL, sellTokenId: LRC, buyTokenId: ETH },
    { ...limits.BUY, sellTokenId: ETH, buyTokenId: LRC },
  ];
  for (const { orderVolume, totalVolume, ...terms } of earlier) {
    const volumes = { orderVolume: String(orderVolume), totalVolume: String(totalVolume) };
    const answer = wallet.page(SITE, 'relayer_requestStandingApproval', [{ ...terms, ...volumes }]);
    await approve(wallet, 1);
    resultOf(await answer);
  }
  const narrow = { ...limits, SELL: { ...limits.SELL, ...narrower } };
  const options = { ...rest, limits: narrow, provider: page.providerOf(wallet), relayerUrl: relayer.url };
  const started = startMarketMaker(options);
  // The purchase goes on under the earlier one.
  await approve(wallet, 1);
  const maker = await started;
  const inForce = resultOf<StandingApproval[]>(await wallet.page(SITE, 'relayer_getStandingApprovals'));
  expect(inForce).toMatchObject([narrower, { maxPrice: '0.000073' }]);
  await maker.stop();
});

test('takes back an order that opens a window, and stops all the same', async () => {
  const { maker, wallet, account } = await begin(
    {},
    {
      // An order whose price the wallet cannot compare is put to the user.
      fetch: async (input, init) => {
        if (String(input).includes('/amm/balance')) throw new TypeError('the connection was lost');
        return fetch(input, init);
      },
    },
  );
  await until(async () => wallet.shown.length > 2);
  const { orders } = await maker.stop();
  expect([...new Set(orders.map(({ status }) => status))]).toEqual(['not-sent']);
  expect(await ordersIn(account.accountId)).toBe(0);
  expect(await wallet.ui('listApprovals', {})).toEqual([]);
});

test('places no order that would meet the offer of another', async () => {
  const { trader, send } = await openTrader();
  const around = [
    await send([ETH, inEth(1_000n * ether, 64n)], 1_000n * ether, 'LIMIT_ORDER'),
    await send([LRC, 50n * ether], inEth(50n * ether, 66n), 'LIMIT_ORDER'),
    await send([LRC, 1_000n * ether], inEth(1_000n * ether, 70n), 'LIMIT_ORDER'),
  ];
  let reads = 0;
  const { maker, account } = await begin(
    { checkMs: 300, levels: 2, price: '0.000067' },
    {
      fetch: async (input, init) => {
        if (String(input).includes('/api/v3/orders')) reads += 1;
        return fetch(input, init);
      },
    },
  );
  await untilOpen(account.accountId, (count) => count === 2);
  const before = reads;
  await until(async () => reads >= before + 10);
  expect(maker.quotes().map(({ side }) => side)).toEqual(['SELL', 'SELL']);
  expect(await ordersIn(account.accountId)).toBe(2);
  await maker.stop();
  for (const orderHash of around) await trader.cancel({ orderHash });
});

test('places a refused order anew only when the relayer can no longer carry it out', async () => {
  const refused: number[] = [];
  const { maker, wallet } = await begin(
    { checkMs: 300, levels: 2, quoteSeconds: 10 },
    {
      fetch: async (input, init) => {
        if (init?.method !== 'POST' || !String(input).endsWith('/api/v3/order')) return fetch(input, init);
        refused.push(Date.now());
        const resultInfo = { code: 102_011, message: 'not enough' };
        return new Response(JSON.stringify({ resultInfo }), { status: 400 });
      },
    },
  );
  await until(async () => refused.length > 4);
  expect((refused[4] ?? 0) - (refused[0] ?? 0)).toBeGreaterThan(8_000);
  await maker.stop();
  expect(wallet.shown).toHaveLength(2);
});

test('leaves no quote open for long when the wallet locks, which signs no cancellation', async () => {
  const { maker, wallet, account } = await begin({ levels: 2, quoteSeconds: 15 });
  await untilOpen(account.accountId, (count) => count === 4);
  maker.done.catch(() => undefined);
  await wallet.ui('lock', {});
  await untilOpen(account.accountId, (count) => count === 0);
  const rows = await relayer.db.query<OrderRow>('SELECT status FROM orders WHERE account_id = $1', [account.accountId]);
  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'expired'));
  // The cancellation waits for the password.
  expect(wallet.shown).toHaveLength(3);
});

test('puts a new quote in the place of one that has expired', async () => {
  const { maker, wallet, account } = await begin({ levels: 2, quoteSeconds: 6 });
  const { accountId } = account;
  await expect.poll(() => ordersIn(accountId)).toBeGreaterThanOrEqual(8);
  const { orders } = await maker.stop();
  expect(orders.filter(({ status }) => status === 'expired').length).toBeGreaterThanOrEqual(4);
  expect(await openOrders(accountId)).toBe(0);
  expect(wallet.shown).toHaveLength(2);
});

test('asks the user again for what the relayer did not cancel', async () => {
  let refused = 0;
  const { maker, wallet, account } = await begin(
    {},
    {
      fetch: async (input, init) => {
        if (init?.method !== 'DELETE' || !String(input).includes('/orders/byHash') || refused > 0)
          return fetch(input, init);
        refused += 1;
        const resultInfo = { code: 102_116, message: 'not now' };
        return new Response(JSON.stringify({ resultInfo }), { status: 400 });
      },
    },
  );
  await untilOpen(account.accountId, (count) => count === QUOTES);
  const ended = expect(maker.done).rejects.toThrow('a standing approval has ended: user');
  await wallet.ui('stopStanding', { id: null });
  await approve(wallet, 3);
  await ended;
  expect(refused).toBe(1);
  expect(await openOrders(account.accountId)).toBe(0);
});

test('knows the end of orders whose answer was lost, and places none of them again', async () => {
  let lost = 0;
  const { maker, account } = await begin(
    {},
    {
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        const isOrder = init?.method === 'POST' && String(input).endsWith('/api/v3/order');
        if (!isOrder || lost === 3) return answer;
        lost += 1;
        throw new TypeError('the connection was lost');
      },
    },
  );
  await untilOpen(account.accountId, (count) => count === QUOTES);
  const { orders } = await maker.stop();
  expect(lost).toBe(3);
  const sql = 'SELECT hash, status FROM orders WHERE account_id = $1';
  const rows = await relayer.db.query<OrderRow>(sql, [account.accountId]);
  expect(rows).toHaveLength(QUOTES);
  expect(new Map(orders.map(({ hash, status }) => [hash, status]))).toEqual(
    new Map(rows.map(({ hash, status }) => [hash, status])),
  );
});

test('takes its quotes back when it sees no book, and quotes again when it does', async () => {
  const { maker, account, sockets } = await begin({ blindMs: 300 });
  await untilOpen(account.accountId, (count) => count === QUOTES);
  sockets.cut();
  await untilOpen(account.accountId, (count) => count === 0);
  sockets.mend();
  await untilOpen(account.accountId, (count) => count === QUOTES);
  const { orders } = await maker.stop();
  expect(orders).toHaveLength(2 * QUOTES);
  expect(orders.filter(({ status }) => status !== 'cancelled')).toEqual([]);
});

test('takes the quotes of an earlier run back when no connection opens', async () => {
  const { maker, wallet, account, sockets, providerOf } = await begin({ blindMs: 600_000 });
  await untilOpen(account.accountId, (count) => count === QUOTES);
  sockets.cut();
  const blind = { ...lrcEth(), provider: providerOf(wallet), relayerUrl: relayer.url, ...sockets, blindMs: 300 };
  const second = await startMarketMaker(blind);
  await untilOpen(account.accountId, (count) => count === 0);
  maker.done.catch(() => undefined);
  await second.stop();
});

test('takes its quotes back when the connection is silent and the book lacks the new ones', async () => {
  const { send } = await openTrader();
  let isSilent = false;
  const { maker, account } = await begin({
    levels: 2,
    blindMs: 300,
    checkMs: 500,
    // A busy machine needs some of it for the trades below.
    lateMs: 10_000,
    ...socketsWith((hear) => (event) => {
      if (!isSilent) hear(event);
    }),
  });
  await untilOpen(account.accountId, (count) => count === 4);
  isSilent = true;
  await sweep(maker.quotes(), 200n * ether, send);
  await expect.poll(() => ordersIn(account.accountId)).toBeGreaterThan(4);
  await untilOpen(account.accountId, (count) => count === 0);
  await maker.stop();
});

test('does not follow its own quotes, which a late book still shows', async () => {
  const { trader, send } = await openTrader();
  const around = [
    await send([ETH, inEth(1_000n * ether, 64n)], 1_000n * ether, 'LIMIT_ORDER'),
    await send([LRC, 1_000n * ether], inEth(1_000n * ether, 71n), 'LIMIT_ORDER'),
  ];
  // Its first middle is theirs, and stays.
  const { maker, wallet, account } = await begin({
    ...socketsWith((hear) => (event) => setTimeout(hear, 1_500, event)),
    // A busy machine makes the book later still.
    lateMs: 120_000,
    leanBips: 0,
    checkMs: 500,
    price: '0.0000675',
  });
  const { accountId } = account;
  await untilOpen(accountId, (count) => count === QUOTES);
  for (let n = 0; n < 4; n++) {
    const placed = await ordersIn(accountId);
    await send([LRC, 950n * ether], inEth(950n * ether, 60n), 'TAKER_ONLY');
    await expect.poll(() => ordersIn(accountId)).toBeGreaterThanOrEqual(placed + 9);
  }
  const { orders } = await maker.stop();
  expect(wallet.shown).toHaveLength(2);
  expect(orders.filter(({ side }) => side === 'BUY').length).toBeGreaterThan(40);
  const rows = await relayer.db.query<OrderRow>('SELECT DISTINCT price FROM orders WHERE account_id = $1', [accountId]);
  expect(rows).toHaveLength(QUOTES);
  for (const orderHash of around) await trader.cancel({ orderHash });
});

test('waits for its rate before an order that would open a window', async () => {
  const rate = { requests: 4, seconds: 6 };
  const { limits } = lrcEth();
  const { maker, wallet } = await begin({
    levels: 1,
    checkMs: 500,
    limits: {
      SELL: { ...limits.SELL, rate, totalVolume: 6n * SALE },
      BUY: { ...limits.BUY, rate, totalVolume: 6n * PURCHASE },
    },
  });
  const { send } = await openTrader();
  let isStopped = false;
  const done = maker.done.finally(() => {
    isStopped = true;
  });
  while (!isStopped && wallet.shown.length === 2) {
    await sweep(maker.quotes(), 300n * ether, send);
    await soon(200);
  }
  expect(wallet.shown).toHaveLength(2);
  const { reason, orders } = await done;
  expect([reason, orders.length]).toEqual(['usedUp', 12]);
});

test('many orders under two standing approvals, with a market that moves and a connection that breaks', async () => {
  const ORDERS = 300;
  const { limits } = lrcEth();
  const { maker, wallet, account, client, sockets } = await begin({
    limits: {
      SELL: { ...limits.SELL, totalVolume: 150n * SALE },
      BUY: { ...limits.BUY, totalVolume: 150n * PURCHASE },
    },
    blindMs: 300,
    checkMs: 1_000,
    // None expires, however busy the machine is.
    quoteSeconds: 3_600,
  });
  const { accountId } = account;
  const before = await balancesOf(client, account);
  const { trader, send } = await openTrader();
  const standing = resultOf<object[]>(await wallet.page(SITE, 'relayer_getStandingApprovals'));
  expect(standing).toHaveLength(2);

  let result: MarketMakerResult | undefined;
  let failure: unknown;
  maker.done.then(
    (ended) => {
      result = ended;
    },
    (error: unknown) => {
      failure = error;
    },
  );

  /** Others around the market maker, whose middle it follows. */
  let around: string[] = [];
  const moveMarket = async (bid: bigint, ask: bigint) => {
    for (const orderHash of around) await trader.cancel({ orderHash });
    around = [
      await send([ETH, inEth(1_000n * ether, bid)], 1_000n * ether, 'LIMIT_ORDER'),
      await send([LRC, 1_000n * ether], inEth(1_000n * ether, ask), 'LIMIT_ORDER'),
    ];
  };
  const events: [atOrder: number, happens: () => Promise<void>][] = [
    [30, () => moveMarket(64n, 71n)],
    [
      90,
      async () => {
        sockets.cut();
        // It sees no book any more and takes its quotes back.
        await untilOpen(accountId, (count) => count === 0);
        sockets.mend();
        await untilOpen(accountId, (count) => count > 0);
      },
    ],
    [180, () => moveMarket(65n, 72n)],
  ];

  // Takes most of both sides each time that most of the quotes are new.
  const sizes = [850n, 1_230n, 690n, 970n];
  const seen = new Set<string>();
  let waits = 0;
  for (let n = 0; result === undefined && failure === undefined; ) {
    expect(wallet.shown).toHaveLength(2);
    const quotes = maker.quotes().filter(({ hash }) => hash !== undefined);
    const fresh = quotes.filter(({ id }) => !seen.has(id));
    // A side that is used up has no new ones.
    if (fresh.length < 10 && waits++ < 15) {
      await soon(100);
      continue;
    }
    waits = 0;
    for (const { id } of fresh) seen.add(id);
    const placed = await ordersIn(accountId);
    await sweep(quotes, (sizes[n++ % sizes.length] ?? 0n) * ether, send);
    if (events[0] && placed >= events[0][0]) await events.shift()?.[1]();
  }
  expect(failure).toBeUndefined();
  expect(events).toEqual([]);

  // Every order has a known end, which is the relayer's.
  const rows = await relayer.db.query<OrderRow>('SELECT * FROM orders WHERE account_id = $1', [accountId]);
  expect(rows).toHaveLength(ORDERS);
  expect(result?.reason).toBe('usedUp');
  const known = new Map(result?.orders.map(({ hash, status }) => [hash, status]));
  expect(known).toEqual(new Map(rows.map(({ hash, status }) => [hash, status])));
  const statuses = [...known.values()];
  expect([...new Set(statuses)].sort()).toEqual(['cancelled', 'processed']);
  expect(statuses.filter((status) => status === 'processed').length).toBeGreaterThan(ORDERS / 2);
  expect(maker.quotes()).toEqual([]);

  // The user saw two windows; nothing was signed beyond what they said.
  expect(wallet.shown).toHaveLength(2);
  const sum = (of: readonly OrderRow[], field: 'amount_s' | 'filled_s' | 'filled_b' | 'fee') =>
    of.reduce((total, row) => total + row[field], 0n);
  const [sales, purchases] = [rows.filter(({ side }) => side === 'SELL'), rows.filter(({ side }) => side === 'BUY')];
  expect(sum(sales, 'amount_s')).toBe(SALE * 150n);
  expect(sum(purchases, 'amount_s')).toBe(PURCHASE * 150n);
  expect(sales.filter((row) => row.amount_s > SALE || row.amount_b < inEth(row.amount_s, 60n))).toEqual([]);
  expect(purchases.filter((row) => row.amount_s > PURCHASE || row.amount_b < inLrc(row.amount_s, 73n))).toEqual([]);
  expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toEqual([]);

  // Nothing came from nowhere, and nothing went away.
  const after = await balancesOf(client, account);
  expect(after).toEqual({
    lrc: before.lrc - sum(sales, 'filled_s') + sum(purchases, 'filled_b') - sum(purchases, 'fee'),
    eth: before.eth - sum(purchases, 'filled_s') + sum(sales, 'filled_b') - sum(sales, 'fee'),
  });
  await seal(relayer);
  expect(await auditDatabase(relayer.db)).toEqual([]);
});
