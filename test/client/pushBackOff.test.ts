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
