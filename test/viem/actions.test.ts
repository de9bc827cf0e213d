import { type Config, connect, createConfig, disconnect, getConnectorClient, injected } from '@wagmi/core';
import { createWalletClient, custom, defineChain, type EIP1193Provider, http, parseEther } from 'viem';
import { describe, expect, test, vi } from 'vitest';
import {
  isFinalStatus,
  LimitExceededError,
  OutcomeUnknownError,
  ParameterError,
  RejectedError,
  RelayerRefusedError,
  relayerActions,
  type SubmissionStatus,
  submitOrder,
  UnauthorizedError,
  WaitTimeoutError,
} from '../../src/viem/index.ts';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { openOther, PASSWORD, question, SITE, until } from '../background/support.ts';
import { approve, errorOf, stageOf } from './support.ts';

const relayer = await relayerOfFile();

/** Sells 100 LRC far above the pool's price, so it rests. */
const ORDER = {
  sellToken: { tokenId: 1, volume: parseEther('100') },
  buyToken: { tokenId: 0, volume: parseEther('0.05') },
} as const;

/**
 * Waits as often as a watch that looked every 5 ms would, in the same event loop: however slow it
 * is, that watch would look too.
 */
async function manyPolls(): Promise<void> {
  for (let n = 0; n < 40; n++) await new Promise((resolve) => setTimeout(resolve, 5));
}

const stage = (options?: Parameters<typeof stageOf>[1]) => stageOf(relayer, options);

describe('a viem client', () => {
  test('reads, asks with bigints, and gets what was signed', async () => {
    const { client, wallet, account } = await stage();
    const [lrc] = await client.relayer.getBalances({ tokens: [1] });
    expect(lrc?.total).toBe(parseEther('100000').toString());
    const asked = client.relayer.submitOrder({ ...ORDER, clientOrderId: 'by-viem' });
    await approve(wallet);
    const order = await asked;
    expect(Object.keys(order).sort()).toEqual([
      'clientOrderId',
      'hash',
      'isIdempotent',
      'relayerStatus',
      'requestId',
      'status',
      'storageId',
    ]);
    expect(order).toMatchObject({ clientOrderId: 'by-viem', status: 'acknowledged' });
    const { orders } = await client.relayer.getOrders({ account: account.owner, limit: 5 });
    expect(orders.map(({ hash }) => hash)).toEqual([order.hash]);
    expect(await client.relayer.getRequests({ limit: 1 })).toMatchObject([
      { requestId: order.requestId, operation: 'submitOrder', hash: order.hash },
    ]);
  });

  test('places a list within a standing approval without a window, and tells the outcome of each', async () => {
    const { client, wallet } = await stage();
    const standing = client.relayer.requestStandingApproval({
      sellTokenId: 1,
      buyTokenId: 0,
      minPrice: '0.0004',
      orderVolume: parseEther('100'),
      totalVolume: parseEther('1200'),
      rate: { requests: 20, seconds: 60 },
      validUntil: Math.floor(Date.now() / 1000) + 3_600,
    });
    await approve(wallet);
    await standing;
    const shown = wallet.shown.length;
    const names = Array.from({ length: 12 }, (_, n) => `list-${n}`);
    const wanted = names.map((clientOrderId, n) => ({ ...ORDER, clientOrderId, ...(n === 5 && { maxFeeBips: 64 }) }));
    const outcomes = await client.relayer.submitOrders({ orders: wanted });
    expect(outcomes.map(({ order, error }) => order?.clientOrderId ?? error)).toEqual(
      names.map((name, n) => (n === 5 ? expect.objectContaining({ field: 'maxFeeBips' }) : name)),
    );
    expect(wallet.shown.length).toBe(shown);
    const placed = outcomes.flatMap(({ order }) => order ?? []);
    expect(new Set(placed.map(({ storageId }) => storageId)).size).toBe(11);

    const cancelled = client.relayer.cancelAllOrders({ orderHashes: placed.slice(0, 2).map(({ hash }) => hash) });
    await approve(wallet);
    expect((await cancelled).orders.map(({ cancelled: is }) => is)).toEqual([true, true]);
    expect((await client.relayer.getOrders({ status: 'processing', limit: 50 })).totalNum).toBe(9);
  });

  test('places equal orders of a list as often as they are listed, and a repeated first one once', async () => {
    const asked: { idempotencyKey?: string }[] = [];
    const request = async ({ params }: { params?: readonly object[] }) => asked.push(params?.[0] ?? {});
    const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
    const { sellToken, ...rest } = ORDER;
    const orders = [ORDER, { ...rest, sellToken }, { ...ORDER, clientOrderId: 'a' }, ORDER];
    await client.relayer.submitOrders({ orders });
    await client.relayer.submitOrders({ orders: [ORDER, { ...ORDER, idempotencyKey: 'mine' }] });
    const keys = asked.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([undefined, expect.any(String), undefined, expect.any(String), undefined, 'mine']);
    expect(keys[1]).not.toBe(keys[3]);
    const account = `0x${'11'.repeat(20)}` as const;
    const own = createWalletClient({ account, transport: custom({ request }) }).extend(relayerActions());
    asked.length = 0;
    await own.relayer.submitOrders({ orders: [{ ...ORDER, account }, ORDER] });
    expect(asked).toMatchObject([{ account }, { account, idempotencyKey: expect.any(String) }]);
  });

  test('makes an order of each of three equal ones within a standing approval', async () => {
    const { client, wallet } = await stage();
    const standing = client.relayer.requestStandingApproval({
      ...{ sellTokenId: 1, buyTokenId: 0, minPrice: '0.0004' },
      ...{ orderVolume: parseEther('100'), totalVolume: parseEther('1200'), rate: { requests: 20, seconds: 60 } },
      validUntil: Math.floor(Date.now() / 1000) + 3_600,
    });
    await approve(wallet);
    await standing;
    const outcomes = await client.relayer.submitOrders({ orders: [ORDER, ORDER, ORDER] });
    expect(new Set(outcomes.map(({ order }) => order?.hash)).size).toBe(3);
  });

  test('asks for nothing more of a list when an order of it was rejected', async () => {
    const asked: string[] = [];
    const rejection = Object.assign(new Error('The user rejected the request.'), { code: 4001 });
    const request = async ({ method }: { method: string }) => {
      asked.push(method);
      throw rejection;
    };
    const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
    const outcomes = await client.relayer.submitOrders({ orders: Array.from({ length: 20 }, () => ORDER) });
    expect(outcomes).toHaveLength(20);
    expect(outcomes.every(({ error }) => error instanceof RejectedError)).toBe(true);
    expect(asked).toHaveLength(8);
    Object.assign(rejection, { data: { status: 'refused', requestId: 'q' } });
    const again = await client.relayer.submitOrders({ orders: Array.from({ length: 20 }, () => ORDER) });
    expect(again.map(({ error }) => error?.outcome)).toEqual([
      ...Array(8).fill('unknown'),
      ...Array(12).fill('not-sent'),
    ]);
    expect(asked).toHaveLength(16);
    expect(await client.relayer.submitOrders({ orders: [] })).toEqual([]);
  });

  test('places each order of a list for the account of the list when it names none', async () => {
    const asked: unknown[] = [];
    const request = async ({ params }: { params?: readonly { account?: string }[] }) =>
      asked.push(params?.[0]?.account);
    const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
    const [account, own] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;
    await client.relayer.submitOrders({
      account,
      orders: [ORDER, { ...ORDER, account: undefined }, { ...ORDER, account: own }],
    });
    expect(asked).toEqual([account, account, own]);
  });

  test('refuses one order of a list that cannot be written as JSON, and places the others', async () => {
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    const throwing = {
      ...ORDER,
      get clientOrderId(): string {
        throw new Error('no');
      },
    };
    const request = async () => ({ clientOrderId: 'placed' });
    const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
    const outcomes = await client.relayer.submitOrders({
      orders: [ORDER, { ...ORDER, sellToken: cyclic as never }, throwing],
    });
    const refused = { name: 'ParameterError', code: -32602, field: 'params', rule: 'not JSON' };
    expect(outcomes).toMatchObject([
      { order: { clientOrderId: 'placed' }, error: null },
      { order: null, error: { ...refused, outcome: 'not-sent' } },
      { order: null, error: { ...refused, outcome: 'not-sent' } },
    ]);
  });

  test('speaks for its account when a call names none', async () => {
    const { provider, account } = await stage();
    const other = await openOther(relayer);
    const as = (owner: `0x${string}`) =>
      createWalletClient({ account: owner, transport: custom(provider) }).extend(relayerActions()).relayer;
    expect((await as(account.owner as `0x${string}`).getBalances({ tokens: [0] }))[0]?.tokenId).toBe(0);
    const unseen = await errorOf(as(other.owner as `0x${string}`).getBalances());
    expect(unseen).toBeInstanceOf(UnauthorizedError);
    expect(unseen).toMatchObject({ reason: 'otherAccount', permission: null });
  });

  test('follows a submission to its end, by events and by looking alike', async () => {
    const { client, wallet, clock, provider, listenersOf } = await stage({ kinds: ['transfers'] });
    const friend = await openOther(relayer);
    const asked = client.relayer.transfer({
      token: { tokenId: 1, volume: parseEther('5') },
      payeeAddr: friend.owner as `0x${string}`,
    });
    await approve(wallet);
    const { requestId } = await asked;
    const heard: SubmissionStatus[] = [];
    const seen: SubmissionStatus[] = [];
    // The one hears and never looks again, the other only looks.
    client.relayer.watchSubmission({
      requestId,
      provider,
      pollingInterval: 1e6,
      onStatus: (status) => heard.push(status),
    });
    client.relayer.watchSubmission({ requestId, onStatus: (status) => seen.push(status) });
    const cut: SubmissionStatus[] = [];
    const unwatch = client.relayer.watchSubmission({ requestId, provider, onStatus: (status) => cut.push(status) });
    await until(async () => cut.length > 0);
    unwatch();
    expect(listenersOf('message')).toBe(1);
    const waited = client.relayer.waitForSubmission({ requestId });
    await until(async () => {
      await wallet.ui('touch', {});
      clock.advance(20_000);
      await wallet.background().onWake();
      return heard.some(isFinalStatus) && seen.some(isFinalStatus);
    });
    expect(await waited).toBe('processed');
    expect(heard).toEqual(['acknowledged', 'processed']);
    expect(seen).toEqual(heard);
    expect(cut).toEqual(['acknowledged']);
    expect(listenersOf('message')).toBe(0);
  });

  test('a wait that is given up leaves nothing behind', async () => {
    const { client, wallet, provider, listenersOf } = await stage();
    const asked = client.relayer.submitOrder(ORDER);
    await approve(wallet);
    const { requestId } = await asked;
    const given = new AbortController();
    const waited = client.relayer.waitForSubmission({ requestId, provider, signal: given.signal });
    given.abort(new Error('enough'));
    await expect(waited).rejects.toThrow('enough');
    expect(listenersOf('message')).toBe(0);
  });
});

/** A wallet that gives these answers to `relayer_getRequest`, the last one for ever. */
const telling = (...answers: object[]) => {
  const request = vi.fn(async (_: { method: string }) => ({
    requestId: 'r',
    ...(answers.length > 1 ? answers.shift() : answers[0]),
  }));
  const client = createWalletClient({ transport: custom({ request }), pollingInterval: 5 }).extend(relayerActions());
  return { request, relayer: client.relayer };
};

/** An event source that says who listens to it. */
function listening() {
  const listeners = new Set<(message: { type: string; data: unknown }) => void>();
  const provider = {
    on: (_: 'message', listener: (message: { type: string; data: unknown }) => void) => listeners.add(listener),
    removeListener: (_: 'message', listener: (message: { type: string; data: unknown }) => void) =>
      listeners.delete(listener),
  };
  return { listeners, provider };
}

test('a wait ends after its timeout with the last status, and the request goes on', async () => {
  const { relayer, request } = telling({ status: 'acknowledged' });
  const { listeners, provider } = listening();
  vi.useFakeTimers();
  try {
    const ended = vi.fn();
    const error = errorOf(relayer.waitForSubmission({ requestId: 'r', provider, timeout: 3_000 })).finally(ended);
    await vi.advanceTimersByTimeAsync(2_999);
    expect([ended.mock.calls.length, listeners.size]).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledTimes(1);
    expect(await error).toBeInstanceOf(WaitTimeoutError);
    expect(await error).toMatchObject({ requestId: 'r', status: 'acknowledged', outcome: 'unknown' });
    expect(listeners.size).toBe(0);
    const polls = request.mock.calls.map(([{ method }]) => method);
    expect(new Set(polls)).toEqual(new Set(['relayer_getRequest']));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(request.mock.calls.length).toBe(polls.length);
  } finally {
    vi.useRealTimers();
  }
});

describe('a request of which the relayer says that nothing came', () => {
  const soon = () => Math.floor(Date.now() / 1000) + 600;

  test.each(['failed', 'expired', 'refused'])(
    'with %s is watched on while it can still be carried out',
    async (status) => {
      const validUntil = soon();
      const { relayer, request } = telling({ status, validUntil }, { status, validUntil }, { status: 'processed' });
      const heard: unknown[] = [];
      vi.useFakeTimers();
      try {
        relayer.watchSubmission({ requestId: 'r', onStatus: (...told) => heard.push(told) });
        // The wallet looks everything through for each poll, and this can last for weeks.
        await vi.advanceTimersByTimeAsync(59_000);
        expect([heard, request.mock.calls.length]).toEqual([[[status, validUntil]], 1]);
        await vi.advanceTimersByTimeAsync(62_000);
        expect(heard.slice(1)).toEqual([['processed', undefined]]);
        await vi.advanceTimersByTimeAsync(600_000);
        expect(request.mock.calls.length).toBe(3);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('is watched on after an event, until its signature has ended', async () => {
    const validUntil = soon();
    const { relayer, request } = telling({ status: 'acknowledged' });
    const { listeners, provider } = listening();
    const heard: unknown[] = [];
    relayer.watchSubmission({ requestId: 'r', provider, pollingInterval: 1e6, onStatus: (one) => heard.push(one) });
    await until(async () => heard.length > 0);
    const tell = (data: object) => {
      for (const listener of listeners) listener({ type: 'relayer_status', data: { requestId: 'r', ...data } });
    };
    tell({ status: 'failed', validUntil });
    tell({ status: 'acknowledged' });
    tell({ status: 'failed', validUntil: soon() - 1_200 });
    tell({ status: 'processed' });
    expect(heard).toEqual(['acknowledged', 'failed', 'acknowledged', 'failed']);
    expect([listeners.size, request.mock.calls.length]).toEqual([0, 1]);
  });

  test.each(['failed', 'expired', 'refused'])(
    'with %s is no outcome of a wait before its signature has ended',
    async (status) => {
      const validUntil = soon();
      expect(
        await errorOf(telling({ status, validUntil }).relayer.waitForSubmission({ requestId: 'r' })),
      ).toMatchObject({
        ...{ name: 'OutcomeUnknownError', code: 4900, outcome: 'unknown', requestId: 'r', validUntil },
        shortMessage: `The relayer says ${status}, and can still carry it out until ${validUntil}.`,
      });
      for (const ended of [{}, { validUntil: 1 }])
        expect(await telling({ status, ...ended }).relayer.waitForSubmission({ requestId: 'r' })).toBe(status);
    },
  );
});

describe('what can go wrong has a type', () => {
  test('rejected by the user, or taken back by the site', async () => {
    const { client, wallet } = await stage();
    const rejected = errorOf(client.relayer.submitOrder(ORDER));
    const view = await question(wallet);
    await wallet.ui('reject', { id: view.id, block: false });
    expect(await rejected).toMatchObject({
      name: 'RejectedError',
      code: 4001,
      outcome: 'not-sent',
      withdrawn: false,
      reason: null,
    });
    expect(await client.relayer.getRequests({ limit: 10 })).toHaveLength(1);

    const withdrawn = errorOf(client.relayer.submitOrder(ORDER));
    await question(wallet);
    const [{ requestId } = { requestId: '' }] = await client.relayer.getRequests({ limit: 1 });
    await client.relayer.withdrawRequest({ requestId });
    const error = await withdrawn;
    expect(error).toBeInstanceOf(RejectedError);
    expect(error).toMatchObject({ withdrawn: true });
  });

  test('closed because the wallet could not show it, which is no answer of the user', async () => {
    const rejection = Object.assign(new Error('closed'), { code: 4001, data: { reason: 'unavailable' } });
    const request = () => Promise.reject(rejection);
    const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
    const error = await errorOf(client.relayer.submitOrder(ORDER));
    expect(error).toMatchObject({ name: 'RejectedError', withdrawn: false, reason: 'unavailable' });
  });

  test('not granted; a wrong parameter with field and rule; a method that does not exist', async () => {
    const { client } = await stage();
    expect(await errorOf(client.relayer.updateAccountKey())).toMatchObject({
      name: 'UnauthorizedError',
      reason: 'noPermission',
      permission: 'relayer_key',
    });
    const wrong = await errorOf(client.relayer.submitOrder({ ...ORDER, maxFeeBips: 64 }));
    expect(wrong).toBeInstanceOf(ParameterError);
    expect(wrong).toMatchObject({ field: 'maxFeeBips', rule: expect.stringMatching(/63/) });
    const zero = await errorOf(client.relayer.submitOrder({ ...ORDER, sellToken: { tokenId: 1, volume: 0n } }));
    expect(zero).toMatchObject({ field: 'sellToken.volume', rule: 'is zero' });
  });

  test('a key that has another request leads to that one, and says of neither that nothing was sent', async () => {
    const { client, wallet } = await stage();
    const keyed = { ...ORDER, idempotencyKey: 'mine' };
    const placed = client.relayer.submitOrder(keyed);
    await approve(wallet, { password: PASSWORD });
    const { requestId } = await placed;
    const error = await errorOf(client.relayer.submitOrder({ ...keyed, maxFeeBips: 5 }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ code: -32602, outcome: 'unknown', reason: 'keyReused', requestId });
  });

  test('refused by the relayer, with its code and name, once', async () => {
    const { client, wallet } = await stage();
    const asked = errorOf(
      client.relayer.submitOrder({ ...ORDER, sellToken: { tokenId: 1, volume: parseEther('900000') } }),
    );
    await approve(wallet, { password: PASSWORD });
    const error = await asked;
    expect(error).toBeInstanceOf(RelayerRefusedError);
    expect(error).toMatchObject({
      outcome: 'refused',
      relayerCode: 102011,
      relayerName: 'BALANCE_INSUFFICIENT',
      requestId: expect.any(String),
      validUntil: expect.any(Number),
    });
    const { requestId, validUntil } = error as RelayerRefusedError;
    expect(await errorOf(client.relayer.waitForSubmission({ requestId: requestId ?? '' }))).toMatchObject({
      ...{ name: 'OutcomeUnknownError', outcome: 'unknown', requestId, validUntil },
    });
    expect(await errorOf(client.relayer.getCounterFactualInfo())).toMatchObject({
      relayerName: 'ADDRESS_NOT_FOUND',
      validUntil: null,
    });
  });

  test('an unknown outcome names the request that the wallet goes on with', async () => {
    let down = false;
    const fetchWith: typeof fetch = (input, init) =>
      down && init?.method === 'POST' ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
    const { client, wallet, clock } = await stage({ fetchWith });
    const asked = errorOf(client.relayer.submitOrder(ORDER));
    await question(wallet);
    down = true;
    await approve(wallet);
    const error = (await asked) as OutcomeUnknownError;
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', code: 4900, outcome: 'unknown' });
    expect(error.validUntil).toBeGreaterThan(clock.now() / 1000);
    const statuses: SubmissionStatus[] = [];
    const unwatch = client.relayer.watchSubmission({
      requestId: error.requestId,
      onStatus: (status) => statuses.push(status),
    });
    await until(async () => statuses.includes('unknown'));
    down = false;
    await until(async () => {
      await wallet.ui('touch', {});
      clock.advance(20_000);
      await wallet.background().onWake();
      return statuses.includes('acknowledged');
    });
    unwatch();
    const order = await client.relayer.getOrder({ orderHash: error.hash as `0x${string}` });
    expect(order.status).toBe('processing');
  });

  test('a wallet that went away under a request leaves its outcome unknown, and under a read nothing', async () => {
    const gone = { code: 4900, data: { reason: 'walletReplaced', status: 'unknown', requestId: 'the-page-s-own' } };
    const request = () => Promise.reject(Object.assign(new Error('The wallet was replaced. Reload the page.'), gone));
    const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
    expect(await errorOf(client.relayer.submitOrder(ORDER))).toMatchObject({
      name: 'OutcomeUnknownError',
      outcome: 'unknown',
      reason: 'walletReplaced',
      requestId: 'the-page-s-own',
    });
    expect(await errorOf(client.relayer.getBalances())).toMatchObject({ name: 'RelayerUnavailableError' });
    expect(await errorOf(client.relayer.waitForSubmission({ requestId: 'any' }))).toMatchObject({
      ...{ name: 'OutcomeUnknownError', outcome: 'unknown', code: 4900 },
      ...{ reason: 'walletReplaced', requestId: 'any' },
    });
  });

  test.each([4200, -32601, -32004])(
    '%i of a wallet without the method: nothing was sent, and a watch ends',
    async (code) => {
      const request = vi.fn(() => Promise.reject(Object.assign(new Error('No such method.'), { code })));
      const { relayer } = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
      const unsupported = { name: 'UnsupportedError', code: 4200, outcome: 'not-sent' };
      expect(await errorOf(relayer.submitOrder(ORDER))).toMatchObject(unsupported);
      const errors: Error[] = [];
      relayer.watchSubmission({
        ...{ requestId: 'r', pollingInterval: 5, onStatus: () => {} },
        onError: (error) => errors.push(error),
      });
      await until(async () => errors.length > 0);
      await manyPolls();
      expect(errors).toMatchObject([unsupported]);
    },
  );

  test('a request that expired before the relayer had it has an error of its own', async () => {
    const data = { status: 'expired', hash: '0x1', requestId: 'q' };
    const request = () => Promise.reject(Object.assign(new Error('The request expired.'), { code: 4900, data }));
    const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
    expect(await errorOf(client.relayer.submitOrder(ORDER))).toMatchObject({
      ...{ name: 'RequestExpiredError', code: 4900, outcome: 'expired', requestId: 'q' },
    });
  });

  test.each([4001, 4100, 4900, -32602, -32603])(
    'an end with %i leaves the outcome unknown when an earlier signature was refused and is still valid',
    async (code) => {
      const data = {
        reason: 'pageLeft',
        field: 'volume',
        status: 'refused',
        requestId: 'q',
        validUntil: 1_790_000_000,
      };
      const request = () => Promise.reject(Object.assign(new Error('volume: An earlier signature.'), { code, data }));
      const client = createWalletClient({ transport: custom({ request }) }).extend(relayerActions());
      const known = { outcome: 'unknown', code, requestId: 'q', validUntil: 1_790_000_000 };
      expect(await errorOf(client.relayer.submitOrder(ORDER))).toMatchObject({ name: 'OutcomeUnknownError', ...known });
      expect(await errorOf(client.relayer.getBalances())).toMatchObject({ outcome: 'not-sent' });
    },
  );

  test('a wait for a request that the site does not have ends', async () => {
    const { client } = await stage();
    const error = await errorOf(client.relayer.waitForSubmission({ requestId: 'none' }));
    expect(error).toMatchObject({ name: 'ParameterError', field: 'requestId' });
    let looks = 0;
    const watched = { requestId: 'none', pollingInterval: 5, onStatus: () => {} };
    client.relayer.watchSubmission({ ...watched, onError: () => looks++ });
    await until(async () => looks > 0);
    await manyPolls();
    expect(looks).toBe(1);
  });

  test('too many requests', async () => {
    const { client } = await stage();
    const all = Array.from({ length: 11 }, (_, index) =>
      client.relayer.submitOrder({ ...ORDER, clientOrderId: `many-${index}` }),
    );
    expect(await errorOf(Promise.race(all))).toMatchObject({
      ...{ name: 'LimitExceededError', reason: null, retryAfterMs: null },
    });
  });

  test('too many reads say when there can be room', async () => {
    const { client } = await stage();
    const all = Array.from({ length: 40 }, (_, index) =>
      client.relayer.getTrades({ market: 'LRC-ETH', limit: index + 1 }),
    );
    const error = await errorOf(Promise.all(all));
    expect(error).toBeInstanceOf(LimitExceededError);
    expect(error).toMatchObject({ outcome: 'not-sent', reason: 'queueFull', retryAfterMs: expect.any(Number) });
  });
});

describe('wagmi', () => {
  const chain = defineChain({
    id: 31337,
    name: 'Development',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: ['http://127.0.0.1:1'] } },
  });
  const configOf = (provider: EIP1193Provider): Config =>
    createConfig({
      chains: [chain],
      connectors: [
        injected({ target: () => ({ id: 'countersign', name: 'Countersign', provider: provider as never }) }),
      ],
      transports: { [chain.id]: http() },
      multiInjectedProviderDiscovery: false,
      storage: null,
    });

  test('connects, places an order and disconnects, with the actions as they are', async () => {
    // wagmi connects in pages only.
    vi.stubGlobal('window', new EventTarget());
    const { wallet, provider, account } = await stage();
    await wallet.page(SITE, 'wallet_revokePermissions', [{ eth_accounts: {} }]);
    const config = configOf(provider);
    const [connector] = config.connectors;
    if (!connector) throw new Error('wagmi has no connector');
    const connecting = connect(config, { connector });
    await approve(wallet);
    const { accounts, chainId } = await connecting;
    expect({ accounts, chainId }).toEqual({ accounts: [account.owner], chainId: chain.id });

    const client = await getConnectorClient(config);
    const asked = submitOrder(client, ORDER);
    await approve(wallet);
    expect((await asked).status).toBe('acknowledged');
    const extended = client.extend(relayerActions({ provider }));
    expect((await extended.relayer.getOrders()).totalNum).toBe(1);
    expect(await errorOf(extended.relayer.updateAccountKey())).toBeInstanceOf(UnauthorizedError);

    await disconnect(config);
    expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
    vi.unstubAllGlobals();
  });
});
