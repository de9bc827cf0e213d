import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectTo } from '../../src/background/sites/subscriptions.ts';
import { createPush, createRelayerClient, type PushOptions, type Socket } from '../../src/client/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each(['is closed', 'falls silent'])('after a good connection that %s the tries begin anew', async (how) => {
  const made: Socket[] = [];
  const tries: number[] = [];
  const push = createPush({
    client: { getSocketKey: async () => ({ key: 'k' }) },
    baseUrl: 'http://relayer.example',
    openSocket: () => {
      const socket = {
        readyState: 1,
        send() {},
        close() {},
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
      };
      made.push(socket);
      return socket;
    },
    backOff: (attempt) => {
      tries.push(attempt);
      return 1_000;
    },
  });
  push.subscribe({ topic: 'ticker', market: 'LRC-ETH' }, { told() {} });
  const next = async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    return made.at(-1);
  };
  // Two that fail at once, and one that holds.
  (await next())?.onclose?.({});
  (await next())?.onclose?.({});
  const good = await next();
  good?.onopen?.({});
  for (let pings = 0; pings < 4; pings++) {
    await vi.advanceTimersByTimeAsync(30_000);
    good?.onmessage?.({ data: 'ping' });
  }
  if (how === 'is closed') good?.onclose?.({});
  else await vi.advanceTimersByTimeAsync(75_000);
  expect(tries).toEqual([0, 1, 0]);
  push.close();
});

test.each(['began', 'refused'] as const)(
  'what a listener throws when told %s keeps it from nobody else and does not end the connection',
  async (name) => {
    const backOff = vi.fn(() => 1_000);
    const sent: string[] = [];
    const socket: Socket = {
      readyState: 1,
      send: (text) => sent.push(text),
      close() {},
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
    };
    const push = createPush({
      client: { getSocketKey: async () => ({ key: 'k' }) },
      baseUrl: 'http://relayer.example',
      openSocket: () => socket,
      backOff,
    });
    const told = vi.fn();
    push.subscribe({ topic: 'ticker', market: 'LRC-USDT' }, { told });
    const topic = { topic: 'ticker', market: 'LRC-ETH' } as const;
    push.subscribe(topic, {
      told() {},
      [name]() {
        throw new Error('a mistake of the page');
      },
    });
    const other = vi.fn();
    push.subscribe(topic, { told() {}, [name]: other });
    await vi.advanceTimersByTimeAsync(0);
    socket.onopen?.({});
    await vi.advanceTimersByTimeAsync(0);
    const { sequence } = JSON.parse(sent[1] ?? '');
    const hear = (message: object) => socket.onmessage?.({ data: JSON.stringify(message) });
    const status = name === 'began' ? 'OK' : 'failed';
    expect(() => hear({ op: 'sub', sequence, topics: [topic], result: { status } })).toThrow('a mistake of the page');
    expect(other).toHaveBeenCalledOnce();
    hear({ topic: { topic: 'ticker', market: 'LRC-USDT' }, ts: 1, data: {} });
    expect(told).toHaveBeenCalledOnce();
    expect(backOff).not.toHaveBeenCalled();
    push.close();
  },
);

/** Connections whose sockets and keys are in the hands of the test. */
function byHand(options: Partial<PushOptions> = {}) {
  const made: (Socket & { readonly sent: string[] })[] = [];
  const push = createPush({
    client: { getSocketKey: async () => ({ key: 'k' }) },
    baseUrl: 'http://relayer.example',
    openSocket: () => {
      const sent: string[] = [];
      const send = (text: string) => void sent.push(text);
      const events = { onopen: null, onmessage: null, onclose: null, onerror: null };
      const socket = { readyState: 1, sent, send, close() {}, ...events };
      made.push(socket);
      return socket;
    },
    backOff: () => 1_000,
    ...options,
  });
  const sentBy = (nth: number) => (made[nth]?.sent ?? []).map((text) => JSON.parse(text));
  const hear = (message: object) => made[0]?.onmessage?.({ data: JSON.stringify(message) });
  const settled = () => vi.advanceTimersByTimeAsync(0);
  return { push, made, sentBy, hear, settled };
}
const TICKER = { topic: 'ticker', market: 'LRC-ETH' } as const;

test.each(['was left', 'lost its connection'])(
  'a topic that %s while its key was fetched asks for nothing',
  async (how) => {
    const keys: ((key: string) => void)[] = [];
    const { push, made, sentBy, settled } = byHand({ apiKey: () => new Promise((resolve) => keys.push(resolve)) });
    const asked = () => [0, 1].map((nth) => sentBy(nth).map(({ op, topics, apiKey }) => [op, topics[0].topic, apiKey]));
    push.subscribe(TICKER, { told() {} });
    const leave = push.subscribe({ topic: 'order' }, { told() {} });
    await settled();
    made[0]?.onopen?.({});
    await settled();
    expect(asked()).toEqual([[['sub', 'ticker', undefined]], []]);
    if (how === 'was left') leave();
    else {
      made[0]?.onclose?.({});
      await vi.advanceTimersByTimeAsync(1_000);
      made[1]?.onopen?.({});
    }
    await settled();
    const before = asked();
    keys[0]?.('first');
    await settled();
    expect(asked()).toEqual(before);
    keys[1]?.('second');
    await settled();
    if (how !== 'was left') expect(asked()[1]).toContainEqual(['sub', 'order', 'second']);
    push.close();
  },
);

test('a connection that nobody wants any more is not opened once its key is there', async () => {
  let give = (_: { key: string }) => {};
  const key = new Promise<{ key: string }>((resolve) => {
    give = resolve;
  });
  const { push, made, settled } = byHand({ client: { getSocketKey: () => key } });
  push.subscribe(TICKER, { told() {} })();
  give({ key: 'k' });
  await settled();
  expect(made).toEqual([]);
});

test('who was refused and leaves ends nothing of who subscribed to the same since', async () => {
  const { push, made, sentBy, hear, settled } = byHand();
  push.subscribe({ ...TICKER, market: 'LRC-USDT' }, { told() {} });
  const leave = push.subscribe(TICKER, { told() {} });
  await settled();
  made[0]?.onopen?.({});
  await settled();
  const { sequence } = sentBy(0)[1];
  hear({ op: 'sub', sequence, topics: [TICKER], result: { status: 'failed' } });
  const told = vi.fn();
  push.subscribe(TICKER, { told });
  leave();
  await settled();
  hear({ topic: TICKER, ts: 1, data: {} });
  expect(told).toHaveBeenCalledOnce();
  push.close();
});

describe('an API key that cannot be had', () => {
  const failing = () => {
    const fail: (() => void)[] = [];
    const tries: number[] = [];
    const apiKey = () => new Promise<string>((_, reject) => fail.push(() => reject(new Error('no key'))));
    const backOff = (attempt: number) => {
      tries.push(attempt);
      return 1_000;
    };
    return { fail, tries, ...byHand({ apiKey, backOff }) };
  };

  test('ends its connection once, however many topics needed it', async () => {
    const { push, made, fail, tries, settled } = failing();
    push.subscribe({ topic: 'account' }, { told() {} });
    push.subscribe({ topic: 'order' }, { told() {} });
    await settled();
    made[0]?.onopen?.({});
    for (const one of fail) one();
    await settled();
    expect(tries).toEqual([0]);
    push.close();
  });

  test('ends no later connection than the one that it was asked for', async () => {
    const { push, made, fail, tries, settled } = failing();
    push.subscribe({ topic: 'order' }, { told() {} });
    await settled();
    made[0]?.onopen?.({});
    made[0]?.onclose?.({});
    await vi.advanceTimersByTimeAsync(1_000);
    made[1]?.onopen?.({});
    fail[0]?.();
    await settled();
    expect(tries).toEqual([0]);
    push.close();
  });
});

test('a site that opens connection after connection leaves the wallet its own', async () => {
  const asked: string[] = [];
  const client = createRelayerClient({
    baseUrl: 'http://relayer.example',
    fetch: async (url) => {
      asked.push(String(url));
      return new Promise<Response>(() => {});
    },
    now: () => 0,
    sleep: () => new Promise(() => {}),
  });
  const openSocket = () => {
    throw new Error('no key was given');
  };
  const connect = connectTo({ openSocket }, { client: () => client }, {} as never);
  const network = { baseUrl: 'http://relayer.example' } as never;
  const open = (origin?: string) => connect({ network }, origin).subscribe(TICKER, { told() {} });
  for (let tries = 0; tries < 10; tries++) open('https://site.example')();
  await vi.advanceTimersByTimeAsync(0);
  const before = asked.length;
  open();
  await vi.advanceTimersByTimeAsync(0);
  expect([before, asked.length]).toEqual([3, 4]);
});
