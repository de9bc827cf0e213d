import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RelayerClientErrorDetails } from '../../src/client/errors.ts';
import { createRelayerClient, RelayerClientError, type RelayerClientOptions } from '../../src/client/index.ts';
import { endpoints } from '../../src/protocol/index.ts';

/** What a client sends, when, and what it makes of a failure; each answer is made here. */
const apiKey = 'k'.repeat(64);
const signature = `0x${'5e'.repeat(96)}`;
const hash = `0x${'1a'.repeat(32)}`;
const cancel = { query: { accountId: 10005, orderHash: hash }, apiKey, signature };
const time = () => Response.json({ timestamp: 5 });
const broken = () => Promise.reject(new TypeError('Failed to fetch'));

afterEach(() => {
  vi.restoreAllMocks();
});

/** A client of which each wait is over at once, on its own clock. */
function stage(answer: (sent: number) => Response | Promise<Response>, options: Partial<RelayerClientOptions> = {}) {
  let now = 0;
  const sent: { url: string; init: RequestInit; at: number }[] = [];
  const waits: number[] = [];
  const client = createRelayerClient({
    baseUrl: 'https://relayer.example',
    fetch: async (input, init = {}) => {
      sent.push({ url: String(input), init, at: now });
      return answer(sent.length);
    },
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    ...options,
  });
  return { client, sent, waits };
}

async function failure(work: Promise<unknown>): Promise<RelayerClientError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RelayerClientError);
  return error as RelayerClientError;
}

describe('a call', () => {
  it('leaves alone: no cookie, no referrer, no cache, no redirect; a body only where there is one', async () => {
    const { client, sent } = stage(() =>
      Response.json({ hash, clientOrderId: '', status: 'cancelled', isIdempotent: false, apiKey: 'k' }),
    );
    await client.cancelOrder(cancel);
    await client.resetApiKey({ bodyText: '{"accountId":10005}', apiKey, signature });
    expect(sent[0]).toMatchObject({
      url: `https://relayer.example/api/v3/order?accountId=10005&orderHash=${hash}`,
      init: {
        ...{ method: 'DELETE', credentials: 'omit', redirect: 'error' },
        ...{ referrerPolicy: 'no-referrer', cache: 'no-store', signal: expect.any(AbortSignal) },
      },
    });
    expect(sent[0]?.init).not.toHaveProperty('body');
    expect(sent[1]?.init.body).toBe('{"accountId":10005}');
  });

  it('has a method for each endpoint, which nobody can replace', () => {
    const { client } = stage(time);
    expect(Object.keys(client).sort()).toEqual(Object.keys(endpoints).sort());
    expect(Object.isFrozen(client)).toBe(true);
  });

  it('uses the fetch, the clock and the waits of the machine when it is given no others', async () => {
    const fetch = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementationOnce(broken)
      .mockImplementation(async () => time());
    const client = createRelayerClient({ baseUrl: 'http://relayer.example' });
    expect(await client.getTimestamp({})).toMatchObject({ timestamp: 5 });
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(fetch.mock.contexts[0]).toBe(globalThis);
    await Promise.all(Array.from({ length: 4 }, () => client.getTimestamp({})));
    expect(fetch).toHaveBeenCalledTimes(6);
  });
});

describe('an address', () => {
  it.each([
    ['https://relayer.example', 'https://relayer.example/api/v3/timestamp'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/v3/timestamp'],
    ['https://relayer.example/a//b///', 'https://relayer.example/a//b/api/v3/timestamp'],
  ])('%s is taken', async (baseUrl, url) => {
    const { client, sent } = stage(time, { baseUrl });
    await client.getTimestamp({});
    expect(sent[0]?.url).toBe(url);
  });

  it.each([
    '',
    'relayer.example',
    'ftp://relayer.example',
    'xhttps://relayer.example',
    'httpsx://relayer.example',
    'https://user@relayer.example',
    'https://:word@relayer.example',
    'https://relayer.example/?b',
    'https://relayer.example/#b',
  ])('"%s" is none of a relayer', async (baseUrl) => {
    const error = await failure((async () => stage(time, { baseUrl }))());
    expect(error).toMatchObject({
      ...{ kind: 'bad-request', outcome: 'not-sent', endpoint: '', field: 'baseUrl' },
      message: 'the relayer’s address is no plain http or https URL',
    });
  });
});

describe('a relayer that cannot be reached', () => {
  it('is asked three times for a read, later each time', async () => {
    const { client, sent, waits } = stage(broken);
    const error = await failure(client.getTimestamp({}));
    expect(error).toMatchObject({
      ...{ kind: 'transport', outcome: 'unknown', endpoint: 'getTimestamp' },
      ...{ message: 'getTimestamp: the relayer cannot be reached', cause: new TypeError('Failed to fetch') },
    });
    expect(sent).toHaveLength(3);
    expect(waits).toEqual([300, 600]);
  });

  it('is sent a write once', async () => {
    const { client, sent, waits } = stage(broken);
    expect(await failure(client.cancelOrder(cancel))).toMatchObject({ outcome: 'unknown' });
    expect([sent.length, waits]).toEqual([1, []]);
  });

  it('is told from one that is slow, which is not asked again', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const { client, sent } = stage(broken, { timeoutMs: 60 });
    expect(await failure(client.getTimestamp({}))).toMatchObject({
      ...{ kind: 'timeout', outcome: 'unknown', endpoint: 'getTimestamp' },
      message: 'getTimestamp: no answer within 60 ms',
    });
    expect(sent).toHaveLength(1);
    expect(AbortSignal.timeout).toHaveBeenCalledWith(60);
  });

  it('is told from one that refuses, or whose answer has another form: neither is asked again', async () => {
    const refusing = stage(() => Response.json({ resultInfo: { code: 100_000, message: 'no' } }, { status: 400 }));
    expect((await failure(refusing.client.getTimestamp({}))).kind).toBe('refused');
    const odd = stage(() => Response.json([]));
    expect((await failure(odd.client.getTimestamp({}))).kind).toBe('off-schema');
    expect([refusing.sent.length, odd.sent.length]).toEqual([1, 1]);
  });
});

describe('after too many requests', () => {
  const NOW = Date.parse('2026-11-26T10:00:00Z');

  it.each([
    ['8', 8_000],
    ['12', 10_000],
    ['0', 300],
    ['999999', 10_000],
    ['Thu, 26 Nov 2026 10:00:09 GMT', 9_000],
    ['Thu, 26 Nov 2026 12:00:00 GMT', 10_000],
    ['Thu, 26 Nov 2026 10:00:09 +0000', 9_000],
    ['2026-11-26T10:00:09Z', 9_000],
    // Already over: only the back-off remains.
    ['Thu, 26 Nov 2026 09:00:00 GMT', 300],
    ['soon', 1_000],
    [undefined, 1_000],
  ])('a read waits for the time that the relayer names: %s', async (named, pause) => {
    vi.spyOn(Date, 'now').mockReturnValue(NOW);
    const headers: Record<string, string> = named === undefined ? {} : { 'Retry-After': named };
    const { client, sent } = stage((count) => (count > 1 ? time() : new Response('', { status: 429, headers })));
    await client.getTimestamp({});
    expect(sent.map(({ at }) => at)).toEqual([0, pause]);
  });

  it('only the endpoint that was refused waits, and no other status makes it wait', async () => {
    const { client, sent } = stage((count) =>
      count > 1 ? time() : new Response('', { status: 429, headers: { 'Retry-After': '9' } }),
    );
    await failure(client.cancelOrder(cancel));
    await client.getTimestamp({});
    expect(sent.map(({ at }) => at)).toEqual([0, 0]);
    const other = stage((count) =>
      count > 1 ? time() : new Response('', { status: 503, headers: { 'Retry-After': '9' } }),
    );
    await other.client.getTimestamp({});
    expect(other.sent.map(({ at }) => at)).toEqual([0, 300]);
  });

  it('a request behind a hundred others is not sent, and says when there can be room', async () => {
    const { client, sent } = stage(time, { now: () => 0, sleep: () => new Promise(() => {}) });
    for (let count = 0; count < 105; count++) void client.cancelOrder(cancel).catch(() => {});
    expect(await failure(client.cancelOrder(cancel))).toMatchObject({
      ...{ kind: 'transport', outcome: 'not-sent', endpoint: 'cancelOrder' },
      ...{ queueFreeInMs: 1_100, message: 'cancelOrder: too many requests are waiting' },
    });
    expect(sent).toHaveLength(5);
  });

  it('a request is told that it leaves when nothing holds it back any more, each time and no sooner', async () => {
    const endless = { now: () => 0, sleep: () => new Promise<void>(() => {}) };
    const { client, sent } = stage(time, endless);
    const told: number[] = [];
    const leaving = async () => void told.push(sent.length);
    for (let count = 0; count < 6; count++) void client.getTimestamp({ leaving });
    await new Promise((resolve) => setImmediate(resolve));
    expect([told.length, sent.length]).toEqual([5, 5]);
    const repeated = stage((count) => (count > 1 ? time() : broken()));
    await repeated.client.getTimestamp({ leaving: async () => void told.push(repeated.sent.length) });
    expect(told.slice(5)).toEqual([0, 1]);
  });

  it('a request does not leave when that cannot be noted', async () => {
    const { client, sent } = stage(time);
    const full = new Error('the disk is full');
    await expect(client.getTimestamp({ leaving: () => Promise.reject(full) })).rejects.toBe(full);
    expect(sent).toEqual([]);
  });

  it('a user goes before a refresh, unless said otherwise, and a site has a share', async () => {
    const endless = { now: () => 0, sleep: () => new Promise<void>(() => {}) };
    const starts = async (request: Parameters<ReturnType<typeof stage>['client']['getTimestamp']>[0]) => {
      const { client, sent } = stage(time, endless);
      for (let count = 0; count < 9; count++) void client.getTimestamp(request);
      await new Promise((resolve) => setImmediate(resolve));
      return sent.length;
    };
    expect(await starts({})).toBe(5);
    expect(await starts({ priority: 'user' })).toBe(5);
    expect(await starts({ priority: 'poll' })).toBe(4);
    expect(await starts({ origin: 'https://site.example' })).toBe(3);
  });
});

describe('an error of the client', () => {
  it('has a cause only where there is one', () => {
    const details = { kind: 'transport', outcome: 'unknown', endpoint: 'getTimestamp' } as const;
    expect('cause' in new RelayerClientError('no', details)).toBe(false);
    expect('cause' in new RelayerClientError('no', { ...details, cause: null })).toBe(false);
    expect(new RelayerClientError('no', { ...details, cause: 'why' })).toMatchObject({
      ...{ name: 'RelayerClientError', message: 'no', cause: 'why' },
    });
  });

  it('says everything that it was given', () => {
    const details: RelayerClientErrorDetails = {
      kind: 'refused',
      outcome: 'refused',
      endpoint: 'getTimestamp',
      httpStatus: 400,
      relayerCode: 102_011,
      relayerName: 'BALANCE_INSUFFICIENT',
      relayerMessage: 'text',
      field: 'a.b',
      queueFreeInMs: 7,
    };
    expect(new RelayerClientError('no', details)).toMatchObject(details);
  });
});
