// @vitest-environment happy-dom
import { MessageChannel as NodeChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageRequest } from '../../src/inpage/protocol.ts';

interface Provider {
  on(event: string, listener: (data: unknown) => void): unknown;
  request(args: { method: string; params?: unknown }): Promise<unknown>;
}

/**
 * Loads the page script, as the browser does at document start, and takes the content script's end
 * of its channel.
 */
async function load() {
  vi.resetModules();
  vi.stubGlobal('__ICON__', 'data:,');
  vi.stubGlobal('MessageChannel', NodeChannel);
  const received: PageRequest[] = [];
  const found: { port?: NodePort; provider?: Provider } = {};
  addEventListener(
    'countersign:port',
    (event) => {
      found.port = (event as MessageEvent).ports[0] as unknown as NodePort;
      found.port.on('message', (message: PageRequest) => received.push(message));
      event.preventDefault();
    },
    { once: true },
  );
  addEventListener(
    'eip6963:announceProvider',
    (event) => {
      found.provider = (event as CustomEvent<{ provider: Provider }>).detail.provider;
    },
    { once: true },
  );
  await import('../../src/inpage/index.ts');
  const { port, provider } = found;
  if (!port || !provider) throw new Error('the page script offered no port or no provider');
  const arrived = () =>
    vi.waitFor(() => received.at(-1) ?? Promise.reject(new Error('nothing arrived')), { timeout: 240_000 });
  return { port, provider, received, arrived };
}

let page: Awaited<ReturnType<typeof load>>;
beforeEach(async () => {
  page = await load();
});
afterEach(() => {
  page.port.close();
  vi.unstubAllGlobals();
});

const intent = { sellToken: { tokenId: 1, volume: '100' }, tags: ['a', 'b'], nothing: null, flag: true };

test('parameters arrive as given, whatever the page does to built-ins', async () => {
  const undo: (() => void)[] = [];
  const change = (on: object, name: PropertyKey, descriptor: PropertyDescriptor) => {
    const before = Object.getOwnPropertyDescriptor(on, name);
    const { defineProperty } = Object;
    undo.unshift(() => (before ? defineProperty(on, name, before) : Reflect.deleteProperty(on, name)));
    defineProperty(on, name, { configurable: true, ...descriptor });
  };
  const asked = { method: 'relayer_submitOrder', params: [intent] };
  // As an old version of Prototype.js did.
  change(Array.prototype, 'toJSON', { value: () => '[]' });
  change(Object.prototype, 'toJSON', { value: () => 'changed' });
  change(String.prototype, 'toJSON', { value: () => 'changed' });
  change(Object.prototype, 'volume', { set() {}, get: () => 'changed' });
  change(Object, 'keys', { value: () => [] });
  change(JSON, 'stringify', { value: () => '{}' });
  change(Array, 'isArray', { value: () => false });
  change(Array.prototype, Symbol.iterator, { value: function* () {} });
  const sending = page.provider.request(asked);
  // No iterator works here.
  for (let at = 0; at < undo.length; at++) undo[at]?.();
  sending.catch(() => {});
  const sent = await page.arrived();
  expect(sent).toEqual({ id: sent.id, method: 'relayer_submitOrder', params: [intent] });
});

test('each value is read once, functions are left out, and what a library wraps in a proxy is taken as it looks', async () => {
  let reads = 0;
  const wrapped = new Proxy({ ...intent, onDone() {} }, {});
  const params = [
    {
      wrapped,
      get once() {
        reads++;
        return 'value';
      },
    },
  ];
  void page.provider.request({ method: 'x', params }).catch(() => {});
  expect((await page.arrived()).params).toEqual([{ wrapped: intent, once: 'value' }]);
  expect(reads).toBe(1);
});

test('what cannot be copied is handed on as no JSON', async () => {
  const cyclic: { self?: object } = {};
  cyclic.self = cyclic;
  const throwing = {
    get value() {
      throw new Error('no');
    },
  };
  const requests = [
    { method: 'x', params: [cyclic] },
    { method: Symbol('x') as never },
    { method: 'x', params: [throwing] },
    { method: 'x', params: [Symbol('x')] },
  ];
  for (const request of requests) page.provider.request(request).catch(() => {});
  await turns();
  expect(page.received).toEqual(requests.map(() => ({ id: expect.any(String), params: 0n })));
});

/** What crosses a channel comes in a turn of its own, and no fake timer holds it back. */
const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
};
async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 1_000) {
    vi.advanceTimersByTime(1_000);
    await turns();
  }
}

test('a page whose content script is gone learns that the outcome is unknown; one that is there is waited for', async () => {
  page.port.close();
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    page = await load();
    const isLook = ({ method }: PageRequest) => method === undefined;
    // As the content script of the extension answers what has no method.
    const answer = (message: PageRequest) => {
      if (isLook(message)) page.port.postMessage({ id: message.id, error: { code: -32600, message: 'no method' } });
    };
    page.port.on('message', answer);
    const ends: unknown[] = [];
    const first = page.provider.request({ method: 'relayer_submitOrder', params: [intent] });
    first.catch((error: unknown) => ends.push(error));
    await turns();
    const { id } = page.received[0] ?? { id: '' };
    await pass(60_000);
    expect(ends).toEqual([]);
    // No event of the page says that it is gone.
    for (let times = 0; times < 5; times++) dispatchEvent(new Event('countersign:ask'));
    await pass(10_000);
    expect(ends).toEqual([]);

    page.port.off('message', answer);
    await pass(10_000);
    expect(ends).toMatchObject([{ code: 4900, data: { reason: 'walletReplaced', status: 'unknown', requestId: id } }]);
    // Nothing waits, so nobody is asked.
    const looks = page.received.length;
    await pass(10_000);
    expect(page.received).toHaveLength(looks);
    const second = page.provider.request({ method: 'eth_accounts' });
    second.catch((error: unknown) => ends.push(error));
    await pass(10_000);
    expect(ends[1]).toMatchObject({ code: 4900, data: { reason: 'walletReplaced', status: 'unknown' } });
  } finally {
    vi.useRealTimers();
  }
});

test('a page whose content script is gone is told that its subscriptions have ended, and not of those that were ended before', async () => {
  page.port.close();
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    page = await load();
    let isThere = true;
    const endOf = (id: string) => ({ event: 'message', data: { subscription: id } });
    page.port.on('message', ({ id, method }: PageRequest) => {
      if (isThere) page.port.postMessage({ id, result: id, ...(method && { end: endOf(id) }) });
    });
    const told: unknown[] = [];
    page.provider.on('message', (data) => told.push(data));
    const ask = () => page.provider.request({ method: 'relayer_subscribe' });
    const answers = Promise.all([ask(), ask()]);
    await turns();
    const [first, second] = (await answers) as [string, string];
    page.port.postMessage({ id: second, result: null });
    await pass(60_000);
    expect(told).toEqual([]);
    isThere = false;
    await pass(20_000);
    expect(told).toEqual([{ subscription: first }]);
    // Nothing is held any more, so nobody is asked.
    const looks = page.received.length;
    await pass(10_000);
    expect(page.received).toHaveLength(looks);
  } finally {
    vi.useRealTimers();
  }
});
