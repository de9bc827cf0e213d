import { beforeEach, expect, test } from 'vitest';
import type { PricesView } from '../../src/messaging/views.ts';
import { LP, lrcEthPool } from '../support/dev.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { movableClock, ORDER, openFunded, setUp } from './support.ts';

/** The prices behind values: the exchange's own, for looking at alone. */
const relayer = await relayerOfFile();
const opened = await openFunded(relayer);

const [ETH, LRC, DAY_MS] = [0, 1, 24 * 60 * 60_000];
const priceReads = /\/api\/v3\/(price|mix\/ticker)$/;

/** What a relayer answers in the place of its own answer. */
let instead: (url: URL) => Response | Promise<Response> | undefined;
beforeEach(() => {
  instead = () => undefined;
});

async function stage() {
  const clock = movableClock();
  const asked: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    if (priceReads.test(url.pathname)) asked.push(url.pathname);
    return (await instead(url)) ?? fetch(input, init);
  };
  const made = await setUp(relayer, { now: clock.now, fetch: send }, [], opened);
  const { wallet, accountView: account } = made;
  const prices = (refresh = true) => wallet.ui('getPrices', { account, refresh });
  return { ...made, clock, asked, prices };
}

const rateIn = (data: PricesView | null, token: number) => {
  const found = data?.rates.find(({ tokenId }) => tokenId === token);
  const about = (worth: string) => Number((Number(worth) / 1e30).toPrecision(12));
  return found && { now: about(found.now), before: found.before && about(found.before) };
};

const listing = (...prices: readonly object[]) => Response.json({ prices });
const answering = (path: string, answer: () => Response) => (url: URL) =>
  url.pathname.endsWith(path) ? answer() : undefined;
const tickers = (
  ...rows: readonly (readonly [market: string, open: string, close: string, bid?: string, ask?: string])[]
) =>
  Response.json({
    tickers: rows.map(([market, open, close, bid = '', ask = '']) => [
      market,
      String(Date.now()),
      '1',
      '1',
      open,
      close,
      open,
      close,
      '1',
      bid,
      ask,
      '',
      '',
    ]),
  });

test('values are the list of the exchange, and its markets tell how they moved', async () => {
  const { prices, client } = await stage();
  const list = (await client.getPrice({ query: { legal: 'USD' } })).prices;
  const listed = (symbol: string) => Number(list.find((one) => one.symbol === symbol)?.price);
  instead = answering('/mix/ticker', () =>
    tickers(['COMBINE-LRC-ETH', '0.00005', '0.0001'], ['ETH-USDT', '2500', '2000']),
  );
  const { data, at, problem } = await prices();
  expect(problem).toBeNull();
  expect(at).toBeGreaterThan(0);
  expect(data?.currency).toBe('USD');
  expect(rateIn(data, ETH)).toEqual({ now: listed('ETH'), before: expect.closeTo(listed('ETH') * 1.25, 6) });
  expect(rateIn(data, LRC)).toEqual({ now: listed('LRC'), before: expect.closeTo(listed('LRC') * 0.625, 6) });
});

test('a share of a pool is valued by what the pool holds, and a silent relayer leaves only the share without a value', async () => {
  const { prices, client } = await stage();
  const poolAddress = await lrcEthPool(relayer);
  const { pooled, lp } = await client.getAmmBalance({ query: { poolAddress } });
  const { data } = await prices();
  const whole = (volume: string | undefined, decimals: number) => Number(volume) / 10 ** decimals;
  const worth =
    whole(pooled[0]?.volume, 18) * Number(rateIn(data, LRC)?.now) +
    whole(pooled[1]?.volume, 18) * Number(rateIn(data, ETH)?.now);
  expect(Number(rateIn(data, LP)?.now) * whole(lp.volume, 18)).toBeCloseTo(worth, 2);

  const other = await stage();
  instead = answering('/amm/balances', () => new Response('not here', { status: 404 }));
  const without = (await other.prices()).data;
  expect(rateIn(without, LP)).toBeUndefined();
  expect(rateIn(without, ETH)).toEqual(rateIn(data, ETH));
});

test('a market without a trade in the last day tells no change, and its last price is no price', async () => {
  const { prices } = await stage();
  instead = (url) =>
    url.pathname.endsWith('/price')
      ? listing(
          { symbol: 'ETH', price: '3000', updatedAt: Date.now() },
          { symbol: 'USDT', price: 1, updatedAt: String(Date.now()) },
        )
      : answering('/mix/ticker', () => tickers(['LRC-ETH', '', '0.0001'], ['ETH-USDT', '', '2000']))(url);
  const { data } = await prices();
  expect(rateIn(data, LRC)).toBeUndefined();
  expect(rateIn(data, ETH)).toEqual({ now: 3000, before: null });
});

test('a last price beyond what the book offers counts as the book offers', async () => {
  const list = () => listing({ symbol: 'ETH', price: '3000', updatedAt: Date.now() });
  const lrc = async (close: string, bid: string, ask: string) => {
    instead = (url) =>
      url.pathname.endsWith('/price')
        ? list()
        : answering('/mix/ticker', () => tickers(['LRC-ETH', '0.0001', close, bid, ask]))(url);
    const { data } = await (await stage()).prices();
    return rateIn(data, LRC)?.now;
  };
  expect(await lrc('0.5', '0.0001', '0.0002')).toBeCloseTo(0.6, 9);
  expect(await lrc('0.00000001', '0.0001', '0.0002')).toBeCloseTo(0.3, 9);
  expect(await lrc('0.00015', '0.0001', '0.0002')).toBeCloseTo(0.45, 9);
  expect(await lrc('0.5', '0.0001', '')).toBeCloseTo(1500, 6);
});

test.each([
  ['a price that the exchange calls two hours old', () => ({ price: '3000', updatedAt: Date.now() - 2 * 60 * 60_000 })],
  ['a price of zero', () => ({ price: '0', updatedAt: Date.now() })],
  ['an absurd price', () => ({ price: '1e80', updatedAt: Date.now() })],
])('%s is none', async (_, entry) => {
  const { prices } = await stage();
  instead = answering('/price', () => listing({ symbol: 'ETH', ...entry() }));
  expect(await prices()).toMatchObject({ data: { rates: [] }, problem: null });
});

test('two tokens of one symbol have no price, because the list names none of them', async () => {
  const { prices, client } = await stage();
  const [eth, ...others] = await client.getTokens({});
  instead = (url) =>
    url.pathname.endsWith('/exchange/tokens')
      ? Response.json([eth, { ...eth, tokenId: 777, address: `0x${'7'.repeat(40)}` }, ...others])
      : answering('/mix/ticker', () => tickers())(url);
  const { data } = await prices();
  expect(data?.rates.map(({ tokenId }) => tokenId)).toContain(LRC);
  expect([rateIn(data, ETH), rateIn(data, 777)]).toEqual([undefined, undefined]);
});

test('prices in a token of the markets, and in a currency that the exchange does not know', async () => {
  const { prices, wallet, accountView: account } = await stage();
  expect(await wallet.ui('getCurrencies', { account })).toEqual(['USD', 'ETH', 'USDT', 'DAI', 'USDC']);
  await wallet.ui('setSettings', { currency: 'ETH' });
  expect(await prices(false)).toMatchObject({ data: null });
  const { data } = await prices();
  expect(rateIn(data, ETH)).toEqual({ now: 1, before: 1 });
  expect(rateIn(data, LRC)?.now).toBeGreaterThan(0);
  await wallet.ui('setSettings', { currency: 'EUR' });
  expect((await prices()).data?.rates).toEqual([]);
});

test('where no values are wanted, and while the wallet is locked, nobody is asked', async () => {
  const { prices, asked, wallet } = await stage();
  expect(asked).toEqual([]);
  await wallet.ui('setSettings', { currency: '' });
  expect(await prices()).toEqual({ data: null, at: null, problem: null });
  await wallet.ui('setSettings', { currency: 'USD' });
  await wallet.ui('lock', {});
  expect(await prices()).toEqual({ data: null, at: null, problem: null });
  expect(asked).toEqual([]);
});

test('prices are read once in half a minute, kept with their time while the exchange is silent, and dropped after a day', async () => {
  const { prices, asked, clock } = await stage();
  const first = await prices();
  expect(await prices()).toEqual(first);
  expect(asked).toHaveLength(2);
  clock.advance(31_000);
  expect((await prices()).at).toBeGreaterThan(first.at ?? 0);
  expect(asked).toHaveLength(4);

  const read = await prices(false);
  instead = (url) => (priceReads.test(url.pathname) ? Promise.reject(new TypeError('fetch failed')) : undefined);
  clock.advance(31_000);
  expect(await prices()).toEqual({ ...read, problem: { key: 'error_relayerUnreachable', values: expect.anything() } });
  clock.advance(DAY_MS);
  expect(await prices(false)).toEqual({ data: null, at: null, problem: null });
});

test('an exchange without prices says so, and that is no failure', async () => {
  const { prices } = await stage();
  instead = (url) => (priceReads.test(url.pathname) ? new Response('not here', { status: 404 }) : undefined);
  expect(await prices()).toMatchObject({ data: { rates: [] }, problem: null });
});

test('whatever the exchange says about prices, a request, its warnings and what is signed stay the same', async () => {
  const { prices, wallet, accountView: account } = await stage();
  const validUntil = Math.floor(Date.now() / 1000) + 3_600;
  const preview = async () =>
    (await wallet.ui('previewOperation', { operation: 'submitOrder', account, intent: { ...ORDER, validUntil } }))
      .review;
  const honest = [await prices(), await preview()] as const;
  await wallet.ui('setSettings', { currency: 'ETH' });
  instead = (url) =>
    url.pathname.endsWith('/price')
      ? listing(
          { symbol: 'ETH', price: '0.000001', updatedAt: Date.now() },
          { symbol: 'LRC', price: '900000', updatedAt: Date.now() },
        )
      : undefined;
  const absurd = [await prices(), await preview()] as const;
  expect(absurd[0].data).not.toEqual(honest[0].data);
  expect(absurd[1]).toEqual(honest[1]);
});
