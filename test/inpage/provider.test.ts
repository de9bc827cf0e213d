// @vitest-environment happy-dom
import { MessageChannel as NodeChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageRequest } from '../../src/inpage/protocol.ts';

interface Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>;
}

/** Loads the page script, as the browser does at document start, and takes the content script's end of its channel. */
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
  const arrived = () => vi.waitFor(() => received.at(-1) ?? Promise.reject(new Error('nothing arrived')));
  return { port, provider, arrived };
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
