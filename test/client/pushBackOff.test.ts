import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPush, type Socket } from '../../src/client/index.ts';

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
