import { createClient, custom } from 'viem';
import { expect, test } from 'vitest';
import { type Order, relayerActions } from '../../src/viem/index.ts';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { buyLrc, openOther, PASSWORD, until } from '../background/support.ts';
import { approve, stageOf } from './support.ts';

const relayer = await relayerOfFile();

const ORDER = { market: 'LRC-ETH', side: 'SELL', price: '0.0005', size: '100' } as const;
/** No look by time happens within a test. */
const NEVER = 1e7;

type Stage = Awaited<ReturnType<typeof stageOf>>;

async function place({ client, wallet }: Stage, size: string = ORDER.size) {
  const asked = client.relayer.limitOrder({ ...ORDER, size });
  await approve(wallet);
  return (await asked).hash;
}

async function cancel({ client, wallet }: Stage, orderHash: `0x${string}`) {
  const asked = client.relayer.cancelOrder({ orderHash });
  await approve(wallet);
  await asked;
}

/** Everything that a watch tells, in its order. */
function watch({ client, provider }: Stage, pollingInterval: number, hears: boolean) {
  const lists: string[][] = [];
  const ended: string[] = [];
  const errors: Error[] = [];
  let calls = 0;
  const unwatch = client.relayer.watchOrders({
    market: 'LRC-ETH',
    pollingInterval,
    ...(hears ? { provider } : {}),
    onOrders: (orders: readonly Order[]) => {
      const hashes = orders.map(({ hash }) => hash);
      // A status that passes through `cancelling` is told as well.
      if (JSON.stringify(hashes) !== JSON.stringify(lists.at(-1))) lists.push(hashes);
      calls++;
    },
    onEnded: ({ hash, status }) => ended.push(`${hash} ${status}`),
    onError: (error) => errors.push(error),
  });
  return { lists, ended, errors, unwatch, calls: () => calls };
}

test('messages of the wallet alone bring new orders and their ends, and unwatch ends it', async () => {
  const stage = await stageOf(relayer);
  const { lists, ended, errors, unwatch } = watch(stage, NEVER, true);
  await until(async () => lists.length > 0);
  expect(lists).toEqual([[]]);
  const hash = await place(stage);
  await until(async () => lists.at(-1)?.includes(hash) ?? false);
  await cancel(stage, hash);
  await until(async () => {
    await stage.wallet.ui('touch', {});
    stage.clock.advance(20_000);
    await stage.wallet.background().onWake();
    return ended.length > 0;
  });
  expect(ended).toEqual([`${hash} cancelled`]);
  expect([lists.at(-1), errors]).toEqual([[], []]);
  unwatch();
  expect(stage.listenersOf('message')).toBe(0);
  const told = lists.length;
  await place(stage);
  expect(lists).toHaveLength(told);
});

test.each([
  ['and the lock between leaves no gap', false, '0.0004'],
  ['also when the watch began while the wallet was locked', true, '0.00039'],
])('a partial fill is told at once, %s', async (_, isLocked, price) => {
  const stage = await stageOf(relayer);
  // Cheaper than what other tests left in the book.
  const asked = stage.client.relayer.limitOrder({ ...ORDER, price });
  await approve(stage.wallet);
  const { hash } = await asked;
  if (isLocked) await stage.wallet.ui('lock', {});
  const sizes: string[] = [];
  const errors: Error[] = [];
  const unwatch = stage.client.relayer.watchOrders({
    pollingInterval: NEVER,
    provider: stage.provider,
    onOrders: (orders) => sizes.push(orders.find((order) => order.hash === hash)?.volumes.baseFilled ?? '-'),
    onError: (error) => errors.push(error),
  });
  await until(async () => (isLocked ? errors : sizes).length > 0);
  if (!isLocked) await stage.wallet.ui('lock', {});
  await stage.wallet.ui('unlock', { password: PASSWORD });
  await until(async () => sizes.length > 0);
  const buyer = await openOther(relayer, { ETH: '5' });
  await buyLrc(relayer, buyer, 8n * 10n ** 15n, 20n * 10n ** 18n);
  await until(async () => Number(sizes.at(-1)) >= 20e18);
  unwatch();
  expect(stage.listenersOf('message')).toBe(0);
});

test('reads alone find them too, and tell only what changed', async () => {
  let reads = 0;
  const fetchWith: typeof fetch = (input, init) => {
    if (String(input).includes('/orders?')) reads++;
    return fetch(input, init);
  };
  const stage = await stageOf(relayer, { fetchWith });
  const first = await place(stage);
  const { lists, ended, unwatch, calls } = watch(stage, 400, false);
  await until(async () => lists.length > 0);
  const before = reads;
  await until(async () => reads > before + 2);
  expect(calls()).toBe(1);
  const second = await place(stage, '50');
  await until(async () => lists.length > 1);
  await cancel(stage, first);
  await until(async () => ended.length > 0);
  unwatch();
  expect(lists).toEqual([[first], [second, first], [second]]);
  expect(ended).toEqual([`${first} cancelled`]);
});

test('a locked wallet is an error of the watch, which goes on with the unlock', async () => {
  const stage = await stageOf(relayer);
  const hash = await place(stage);
  const { lists, errors, unwatch } = watch(stage, NEVER, true);
  await until(async () => lists.length > 0);
  await stage.wallet.ui('lock', {});
  await until(async () => errors.length > 0);
  expect(errors[0]).toMatchObject({ name: 'UnauthorizedError', reason: 'locked' });
  await stage.wallet.ui('unlock', { password: PASSWORD });
  const second = await place(stage, '50');
  await until(async () => lists.at(-1)?.includes(second) ?? false);
  unwatch();
  expect(lists).toEqual([[hash], [second, hash]]);
});

test('orders on further pages are open too, and one that a page has missed has not ended', async () => {
  let isMissed = false;
  const fetchWith: typeof fetch = async (input, init) => {
    const url = String(input).replace('limit=50', 'limit=2');
    if (!url.includes('/orders?') || !isMissed) return fetch(url, init);
    isMissed = false;
    return Response.json({ totalNum: 0, orders: [] });
  };
  const stage = await stageOf(relayer, { fetchWith });
  const first = await place(stage);
  const second = await place(stage, '50');
  const third = await place(stage, '60');
  const { lists, ended, errors, unwatch } = watch(stage, 400, false);
  await until(async () => lists.length > 0);
  isMissed = true;
  await until(async () => lists.length > 2);
  unwatch();
  expect(lists).toEqual([[third, second, first], [], [third, second, first]]);
  expect([ended, errors]).toEqual([[], []]);
});

test('orders that move above the next page are read, also where that one is empty', async () => {
  const open = Array.from({ length: 120 }, (_, n) => ({ hash: `0x${n}`, status: 'processing' }));
  const asked: number[] = [];
  const request = async ({ params }: { params?: readonly { limit: number; offset: number }[] }) => {
    const { limit, offset } = params?.[0] ?? { limit: 0, offset: 0 };
    const orders = open.slice(offset, offset + Math.min(limit, 20));
    const page = { totalNum: open.length, orders };
    if (asked.push(offset) === 3) open.splice(0, 95);
    return page;
  };
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions());
  const orders = await new Promise<readonly Order[]>((resolve, onError) => {
    const onOrders = (all: readonly Order[]) => [resolve(all), unwatch()];
    const unwatch = relayer.watchOrders({ pollingInterval: NEVER, onOrders, onError });
  });
  expect(orders.slice(-25)).toEqual(open);
  expect(asked).toEqual([0, 15, 30, 45, 0, 15]);
});

test.each([
  ['an order ends while pages are read, and it', 59, 1],
  ['orders end with each page, and they', 300, 50],
])('%s hides no other', async (_, least, most) => {
  const open = Array.from({ length: least === 59 ? 60 : 600 }, (_, n) => ({ hash: `0x${n}`, status: 'processing' }));
  const request = async ({ params }: { params?: readonly { limit: number; offset: number }[] }) => {
    const { limit, offset } = params?.[0] ?? { limit: 0, offset: 0 };
    const page = { totalNum: open.length, orders: open.slice(offset, offset + limit) };
    if (open.length > least) open.shift();
    return page;
  };
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions());
  const hashes = await new Promise<string[]>((resolve) => {
    const onOrders = (orders: readonly Order[]) => resolve(orders.map(({ hash }) => hash));
    const unwatch = relayer.watchOrders({
      pollingInterval: NEVER,
      onOrders: (orders) => [onOrders(orders), unwatch()],
    });
  });
  const left = open.map(({ hash }) => hash);
  expect(hashes.filter((hash) => left.includes(hash))).toEqual(left);
  // Of those that ended since their page was read, the next look tells.
  expect(hashes.length - left.length).toBeLessThanOrEqual(most);
});

test.each([
  ['of the rows that were asked for', 60, (_: number, limit: number) => limit],
  ['of the rows of its answer', 50, (rows: number) => rows],
  ['of the rows of its answer', 60, (rows: number) => rows],
  ['of nothing beyond the end', 50, (rows: number) => (rows === 0 ? 0 : 50)],
  ['of nothing beyond the end', 100, (rows: number) => (rows === 0 ? 0 : 100)],
  ['of too many rows', 60, () => 1_000],
])('a total %s hides none of %i orders, and the read ends', async (_, count, totalOf) => {
  const open = Array.from({ length: count }, (_, n) => ({ hash: `0x${n}`, status: 'processing' }));
  let reads = 0;
  const request = async ({ params }: { params?: readonly { limit: number; offset: number }[] }) => {
    reads++;
    const { limit, offset } = params?.[0] ?? { limit: 0, offset: 0 };
    const orders = open.slice(offset, offset + limit);
    return { totalNum: totalOf(orders.length, limit), orders };
  };
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions());
  const orders = await new Promise<readonly Order[]>((resolve, onError) => {
    const onOrders = (all: readonly Order[]) => [resolve(all), unwatch()];
    const unwatch = relayer.watchOrders({ pollingInterval: NEVER, onOrders, onError });
  });
  expect(orders).toEqual(open);
  expect(reads).toBeLessThan(10);
});

test('an order whose end nobody tells keeps no other from its own', async () => {
  let open = ['0xa', '0xb'];
  const request = async ({ method, params }: { method: string; params?: readonly { orderHash?: string }[] }) => {
    if (method === 'relayer_getOrders')
      return { totalNum: open.length, orders: open.map((hash) => ({ hash, status: 'processing' })) };
    const [{ orderHash = '' } = {}] = params ?? [];
    if (orderHash === '0xa') throw Object.assign(new Error('No such order.'), { code: -32003, data: { code: 107003 } });
    return { hash: orderHash, status: 'cancelled' };
  };
  const { relayer } = createClient({ transport: custom({ request }), pollingInterval: 5 }).extend(relayerActions());
  const ended: string[] = [];
  const errors: Error[] = [];
  let lists = 0;
  const unwatch = relayer.watchOrders({
    onOrders: () => lists++,
    onEnded: ({ hash }) => ended.push(hash),
    onError: (error) => errors.push(error),
  });
  await until(async () => lists > 0);
  open = [];
  await until(async () => ended.length > 0 || errors.length > 2);
  unwatch();
  expect([ended, errors]).toEqual([['0xb'], []]);
});

test('a list of orders without an end is an error of the watch', async () => {
  let reads = 0;
  const request = async () => ({
    totalNum: 1e12,
    orders: [{ hash: `0x${(++reads).toString(16)}`, status: 'waiting' }],
  });
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions());
  const lists: unknown[] = [];
  let unwatch = () => {};
  const error = await new Promise((onError) => {
    unwatch = relayer.watchOrders({ pollingInterval: NEVER, onOrders: (orders) => lists.push(orders), onError });
  });
  unwatch();
  expect(error).toMatchObject({ name: 'RelayerUnavailableError', outcome: 'not-sent' });
  expect([lists, reads]).toEqual([[], 400]);
});

test('a subscription that ended by itself, or was refused before the connection, begins again', async () => {
  const listeners = new Set<(message: { type: string; data: unknown }) => void>();
  const provider = {
    on: (_: string, listener: (message: { type: string; data: unknown }) => void) => listeners.add(listener),
    removeListener: (_: string, listener: (message: { type: string; data: unknown }) => void) =>
      listeners.delete(listener),
  };
  let isConnected = false;
  let subscriptions = 0;
  const request = async ({ method }: { method: string }) => {
    if (!isConnected) throw Object.assign(new Error('Not connected.'), { code: 4100 });
    return method === 'relayer_subscribe' ? `${++subscriptions}` : { totalNum: 0, orders: [] };
  };
  const { relayer } = createClient({ transport: custom({ request }) }).extend(relayerActions({ provider }));
  const errors: Error[] = [];
  const unwatch = relayer.watchOrders({
    pollingInterval: 5,
    onOrders: () => {},
    onError: (error) => errors.push(error),
  });
  await until(async () => errors.length > 1);
  isConnected = true;
  for (let subscription = 1; subscription < 4; subscription++) {
    await until(async () => subscriptions === subscription);
    // The answer has arrived in the page.
    await new Promise((done) => setTimeout(done));
    const error = { code: -32005, message: 'Not read.' };
    const data = { subscription: `${subscription}`, error };
    for (const listener of listeners) listener({ type: 'relayer_subscription', data });
  }
  await until(async () => subscriptions === 4);
  unwatch();
  expect(listeners.size).toBe(0);
});
