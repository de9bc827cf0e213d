import { beforeEach, expect, test } from 'vitest';
import { placeQuotes } from '../../scripts/demo/placeQuotes.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { patientClient } from '../support/patientClient.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { movableClock, openFunded, openOther, question, setUp, until } from './support.ts';

/** The data behind the Trade screen, and the order that it starts. */
const relayer = await relayerOfFile();
/** Of the tests that place no order. */
const opened = await openFunded(relayer);
const maker = await openOther(relayer, { ETH: '100', LRC: '1000000' });
await placeQuotes(patientClient(relayer.url), maker);

const ETHER = 10n ** 18n;
const MARKET = 'LRC-ETH';

/** What a relayer answers in the place of its own answer. */
let instead: (url: URL) => Response | Promise<Response> | undefined;
beforeEach(() => {
  instead = () => undefined;
});

async function stage(of = opened) {
  const clock = movableClock();
  const send: typeof fetch = async (input, init) => (await instead(new URL(String(input)))) ?? fetch(input, init);
  const made = await setUp(relayer, { now: clock.now, fetch: send }, [], of);
  const { wallet, accountView: account } = made;
  const read = (interval: '15min' | '1d' = '15min') =>
    wallet.ui('getMarketData', { account, market: MARKET, interval });
  /** Places an order of the wallet's own, exactly as shown. */
  async function place(intent: object): Promise<void> {
    const { problem } = await wallet.ui('startOperation', { operation: 'submitOrder', account, intent: { ...intent } });
    expect(problem).toBe(null);
    const view = await question(wallet);
    expect(view.origin).toBe(OWN_ORIGIN);
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    await until(async () => (await wallet.ui('getApproval', { id: view.id })).stage === 'done');
  }
  return { ...made, clock, read, place };
}

const marketData = /\/api\/v3\/(mix\/|trade)/;

test('the book is best first on both sides, with what the makers offer, and an own order is in it', async () => {
  const { read, place } = await stage(await openFunded(relayer));
  const before = await read();
  expect(before.book?.bids[0]?.price).toBe('0.0000666');
  expect(before.book?.asks[0]?.price).toBe('0.0000668');
  const rising = (before.book?.asks ?? []).map(({ price }) => Number(price));
  expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  await place({
    sellToken: { tokenId: 1, volume: String(1000n * ETHER) },
    buyToken: { tokenId: 0, volume: String((1000n * ETHER * 667n) / 10_000_000n) },
    maxFeeBips: 63,
  });
  // The relayer keeps a book for a second.
  const best = await until(async () => {
    const ask = (await read()).book?.asks[0];
    return ask?.price === '0.0000667' && ask;
  });
  expect(best.size).toBe(String(1000n * ETHER));
});

test('a purchase by the amount that is bought fills from the book, and becomes a trade, a candle and the last price', async () => {
  const { read, place, client, account } = await stage(await openFunded(relayer));
  const wanted = 500n * ETHER;
  await place({
    sellToken: { tokenId: 0, volume: String((wanted * 668n) / 10_000_000n) },
    buyToken: { tokenId: 1, volume: String(wanted) },
    fillAmountBOrS: true,
    maxFeeBips: 63,
  });
  const filled = await until(async () => {
    const { orders } = await client.getOrders({ query: { accountId: account.accountId }, apiKey: account.apiKey });
    return orders[0]?.status === 'processed' && orders[0];
  });
  expect(filled.volumes.baseFilled).toBe(String(wanted));
  const { trades, candles, ticker } = await until(async () => {
    const data = await read();
    return (data.trades?.length ?? 0) > 0 && data;
  });
  expect(trades?.[0]).toMatchObject({ side: 'BUY', size: String(wanted) });
  expect(candles?.at(-1)?.close).toBe(trades?.[0]?.price);
  expect(ticker?.close).toBe(trades?.[0]?.price);
});

test('a relayer without market data tells nothing, and that is no failure', async () => {
  const { read } = await stage();
  instead = (url) => (marketData.test(url.pathname) ? new Response('not here', { status: 404 }) : undefined);
  expect(await read()).toMatchObject({ ticker: null, book: null, candles: null, trades: null });
});

test.each([
  ['a price that is no number', { bids: [['cheap', '1', '1', '1']], asks: [] }],
  ['an ask at zero', { bids: [], asks: [['0.0', '1', '1', '1']] }],
  ['a negative size', { bids: [], asks: [['0.1', '-1', '1', '1']] }],
  ['a row without a size', { bids: [], asks: [['0.1']] }],
])('a book with %s is shown to nobody, the rest is', async (_, sides) => {
  const { read } = await stage();
  instead = (url) =>
    url.pathname.endsWith('/mix/depth')
      ? Response.json({ version: 1, timestamp: 1, market: MARKET, ...sides })
      : undefined;
  const data = await read();
  expect(data.book).toBe(null);
  expect(data.trades).not.toBe(null);
});

test('a bid that is rounded down to zero is left out, the rest of the book is shown', async () => {
  const { read } = await stage();
  const sides = {
    bids: [
      ['2', '1', '1', '1'],
      ['0.00', '1', '1', '1'],
    ],
    asks: [['3', '1', '1', '1']],
  };
  instead = (url) =>
    url.pathname.endsWith('/mix/depth')
      ? Response.json({ version: 1, timestamp: 1, market: MARKET, ...sides })
      : undefined;
  expect((await read()).book).toEqual({ bids: [{ price: '2', size: '1' }], asks: [{ price: '3', size: '1' }] });
});

test('a trade whose price is rounded down to zero is left out, the others are shown', async () => {
  const { read } = await stage();
  const trade = (price: string) => ['1', price, 'SELL', '5', price, MARKET, '0', '1', '0'];
  instead = (url) =>
    url.pathname.endsWith('/trade') ? Response.json({ totalNum: 2, trades: ['0', '2'].map(trade) }) : undefined;
  expect((await read()).trades).toEqual([{ at: 1, side: 'SELL', price: '2', size: '5' }]);
});

test('prices in scientific notation are shown as plain ones, in their order', async () => {
  const { read } = await stage();
  const level = (price: string) => [price, '1', '1', '1'];
  const answers: Record<string, object> = {
    depth: {
      ...{ version: 1, timestamp: 1, market: MARKET },
      bids: ['3E-4', '3.5669E-4'].map(level),
      asks: ['1e1', '3.333333333333333333333333333333333E-4'].map(level),
    },
    trade: { totalNum: 1, trades: [['1', '1', 'SELL', '5', '3.5669E-4', MARKET, '0', '1', '0']] },
    candlestick: { candlesticks: [['1', '1', '3E-4', '3.5669E-4', '4E-4', '0.0002', '1', '1']] },
  };
  instead = (url) => {
    const answer = answers[url.pathname.split('/').at(-1) ?? ''];
    return answer && Response.json(answer);
  };
  expect(await read()).toMatchObject({
    book: {
      bids: [{ price: '0.00035669' }, { price: '0.0003' }],
      asks: [{ price: '0.000333333333333333333333333333' }, { price: '10' }],
    },
    trades: [{ price: '0.00035669' }],
    candles: [{ open: '0.0003', close: '0.00035669', high: '0.0004', low: '0.0002' }],
  });
});

test('the side of a trade is read in any case', async () => {
  const { read } = await stage();
  const trade = (side: string) => ['1', '1', side, '5', '0.1', MARKET, '0', '1', '0'];
  instead = (url) =>
    url.pathname.endsWith('/v3/trade') ? Response.json({ totalNum: 2, trades: ['sell', 'Buy'].map(trade) }) : undefined;
  expect((await read()).trades).toMatchObject([{ side: 'SELL' }, { side: 'BUY' }]);
});

test('levels in another order are put in order, so that nobody counts from a price in the middle', async () => {
  const { read } = await stage();
  const level = (price: string) => [price, '1', '1', '1'];
  instead = (url) =>
    url.pathname.endsWith('/mix/depth')
      ? Response.json({
          ...{ version: 1, timestamp: 1, market: MARKET },
          bids: ['9', '10.5', '0.123456789012345678'].map(level),
          asks: ['100', '11', '11.000000000000000001'].map(level),
        })
      : undefined;
  const { book } = await read();
  expect(book?.bids.map(({ price }) => price)).toEqual(['10.5', '9', '0.123456789012345678']);
  expect(book?.asks.map(({ price }) => price)).toEqual(['11', '11.000000000000000001', '100']);
});

test('a relayer that does not answer is named, also beside a second one', async () => {
  const { read, wallet, accountView: account } = await stage();
  await wallet.ui('addNetwork', { baseUrl: relayer.url.replace('127.0.0.1', 'localhost'), name: 'Other' });
  await read();
  instead = (url) => (marketData.test(url.pathname) ? Promise.reject(new TypeError('fetch failed')) : undefined);
  const asked = { account, market: MARKET, interval: '1d' } as const;
  expect(await wallet.uiAnswer('getMarketData', asked)).toMatchObject({
    ok: false,
    error: { code: 'relayer-unreachable', values: { host: new URL(relayer.url).host } },
  });
});

test('a market that the exchange does not list is refused before it is asked', async () => {
  const { wallet, accountView: account } = await stage();
  const asked: string[] = [];
  await wallet.ui('getMarkets', { account });
  instead = (url) => void asked.push(url.pathname);
  for (const market of ['LRC-LRC', 'LRC-ETH&x=1', ''])
    expect(await wallet.uiAnswer('getMarketData', { account, market, interval: '1hr' })).toMatchObject({
      error: { code: 'invalid-input', values: { field: 'market' } },
    });
  expect(asked).toEqual([]);
});
