// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageMessage, PageRequest } from '../../src/inpage/protocol.ts';

type Sent = PageRequest & { readonly type: string; readonly documentId: string };
type Reply = {
  readonly id?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};

/** Answers of the background by method; those that are missing never come. */
const answers = new Map<string, Reply | Promise<Reply>>();
const sent: Sent[] = [];
const heard: PageMessage[] = [];
let fromBackground: (message: unknown, sender?: unknown, respond?: (isPresent: boolean) => void) => void;
let runtime: { id: string };
let ask: (method: string, params?: unknown) => string;
const methods = () => sent.map(({ method }) => method);
/** An event of the browser; those of a page's script are not trusted. */
const byBrowser = (name: string, more = {}) =>
  dispatchEvent(Object.defineProperty(Object.assign(new Event(name), more), 'isTrusted', { value: true }));
const settled = () => new Promise((done) => setTimeout(done, 20));

/** Loads the content script, as the browser does, and gives it the page's end of the channel. */
beforeEach(async () => {
  vi.resetModules();
  answers.clear();
  for (const all of [sent, heard]) all.length = 0;
  const working = {
    id: 'self',
    onMessage: { addListener: (listener: never) => (fromBackground = listener) },
    async sendMessage(message: Sent) {
      sent.push(message);
      const answer = await (answers.get(message.method) ?? new Promise<Reply>(() => {}));
      return { id: message.id, ...answer };
    },
  };
  runtime = working;
  vi.stubGlobal('chrome', { runtime });
  await import('../../src/content/index.ts');
  const toContent: { onmessage?: (event: { data: PageRequest }) => void } = {};
  const port = Object.assign(toContent, { postMessage: (message: PageMessage) => heard.push(message) });
  dispatchEvent(Object.assign(new Event('countersign:port', { cancelable: true }), { ports: [port] }));
  ask = (method, params) => {
    const id = crypto.randomUUID();
    toContent.onmessage?.({ data: { id, method, params } });
    return id;
  };
});
afterEach(() => {
  // The scripts of earlier tests share the document, and do nothing without a background.
  runtime.id = '';
  Reflect.deleteProperty(document, 'prerendering');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a prerendered page gets its answers when it is shown', async () => {
  Object.assign(document, { prerendering: true });
  answers.set('eth_accounts', { result: ['0xa'] });
  const id = ask('eth_accounts');
  // Events of this name can be made by any script.
  document.dispatchEvent(new Event('prerenderingchange'));
  await settled();
  expect([sent, heard]).toEqual([[], []]);
  Object.assign(document, { prerendering: false });
  document.dispatchEvent(new Event('prerenderingchange'));
  await expect.poll(() => heard).toEqual([{ id, result: ['0xa'] }]);
  expect(methods()).toEqual(['eth_accounts']);
});

test('a page that comes back from the cache is told what changed meanwhile', async () => {
  const comeBack = async (persisted = true) => {
    byBrowser('pageshow', { persisted });
    await settled();
  };
  await comeBack();
  expect(sent).toEqual([]);
  answers.set('eth_accounts', { result: ['0xa'] }).set('eth_chainId', { result: '0x1' });
  ask('eth_chainId');
  const event = { event: 'accountsChanged', data: ['0xa'] };
  fromBackground({ type: 'to-page', origin: self.origin, message: event });
  await expect.poll(() => heard).toHaveLength(2);
  await comeBack();
  await comeBack(false);
  expect([methods().length, heard.length]).toEqual([3, 2]);
  answers.set('eth_accounts', { result: [] });
  await comeBack();
  expect(heard.slice(2)).toEqual([{ event: 'accountsChanged', data: [] }]);
  answers.set('eth_accounts', { error: { code: 4100, message: 'blocked' } }).set('eth_chainId', { result: '0x5' });
  await comeBack();
  expect(heard.slice(3)).toEqual([{ event: 'chainChanged', data: '0x5' }]);
});

test('a page that asked for anything is heard when it comes back from the cache, and told nothing that it never read', async () => {
  answers.set('eth_accounts', { result: ['0xa'] }).set('eth_chainId', { result: '0x1' });
  answers.set('relayer_getOrders', { result: [] });
  const id = ask('relayer_getOrders');
  await expect.poll(() => heard).toHaveLength(1);
  byBrowser('pageshow', { persisted: true });
  await settled();
  expect(methods()).toEqual(['relayer_getOrders', 'eth_chainId', 'eth_accounts']);
  expect(heard).toEqual([{ id, result: [] }]);
});

test('a page that read another chain before its site is connected is told the chain', async () => {
  const tell = (event: string, data: unknown) => {
    heard.length = 0;
    fromBackground({ type: 'to-page', origin: self.origin, message: { event, data } });
    return [...heard];
  };
  const connect = { event: 'connect', data: { chainId: '0x1' } };
  expect(tell('connect', connect.data)).toEqual([connect]);
  answers.set('eth_chainId', { result: '0x0' });
  ask('eth_chainId');
  await expect.poll(() => heard).toHaveLength(2);
  expect(tell('connect', connect.data)).toEqual([connect, { event: 'chainChanged', data: '0x1' }]);
  expect(tell('connect', connect.data)).toEqual([connect]);
});

test('only the browser says that a page was left or has come back', async () => {
  answers.set('eth_accounts', { result: [] }).set('eth_chainId', { result: '0x1' });
  ask('eth_accounts');
  ask('eth_chainId');
  ask('relayer_submitOrder');
  await settled();
  sent.length = 0;
  dispatchEvent(new Event('pagehide'));
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  await settled();
  expect(sent).toEqual([]);
  byBrowser('pagehide');
  expect(sent).toMatchObject([{ type: 'gone' }]);
});

test('a document hears nothing that is meant for another origin', async () => {
  const id = ask('eth_requestAccounts');
  for (const message of [
    { event: 'accountsChanged', data: ['0xa'] },
    { id, result: ['0xa'] },
  ])
    fromBackground({ type: 'to-page', origin: 'https://other.example', message });
  expect(heard).toEqual([]);
});

test('an answer that comes after the decision of the user is what the page knows when it comes back', async () => {
  const id = ask('eth_requestAccounts');
  await settled();
  fromBackground({ type: 'to-page', origin: self.origin, message: { id, result: ['0xa'] } });
  expect(heard).toEqual([{ id, result: ['0xa'] }]);
  answers.set('eth_accounts', { result: ['0xb'] });
  byBrowser('pageshow', { persisted: true });
  await settled();
  expect(heard.slice(1)).toEqual([{ event: 'accountsChanged', data: ['0xb'] }]);
});

test.each([
  ['never answered', new Promise<Reply>(() => {})],
  ['answered for another id', { id: crypto.randomUUID(), result: ['0xb'] }],
])('a request that is %s is sent again under its id, and its answer heard once', async (_, first) => {
  vi.useFakeTimers();
  answers.set('eth_accounts', first);
  const id = ask('eth_accounts');
  await vi.advanceTimersByTimeAsync(0);
  answers.set('eth_accounts', { result: ['0xa'] });
  await vi.advanceTimersByTimeAsync(20_400);
  expect(sent.map((request) => request.id)).toEqual([id, id]);
  fromBackground({ type: 'to-page', origin: self.origin, message: { id, result: ['0xa'] } });
  expect(heard).toEqual([{ id, result: ['0xa'] }]);
});

test('the background is told whether its document is there', () => {
  ask('eth_accounts');
  const told: boolean[] = [];
  for (const documentId of [sent[0]?.documentId, crypto.randomUUID()])
    fromBackground({ type: 'is-present', documentId }, {}, (isPresent) => told.push(isPresent));
  expect(told).toEqual([true, false]);
});

test('parameters that are not JSON are refused, also where the page script could not copy the request', () => {
  const error = { code: -32602, message: 'params: not JSON; numbers beyond 2^53 are written as text' };
  const ids = [ask('eth_accounts', [1n]), ask(undefined as never, 0n)];
  expect(heard).toEqual(ids.map((id) => ({ id, error })));
});

test('a subscription outlives a failure inside the wallet, and ends with every other error', async () => {
  vi.useFakeTimers();
  answers.set('relayer_subscribe', { result: 'x' });
  const id = ask('relayer_subscribe');
  await vi.advanceTimersByTimeAsync(1_000);
  answers.set('relayer_subscribe', { error: { code: -32603, message: 'Internal error.' } });
  await vi.advanceTimersByTimeAsync(40_000);
  const ended = (error: object) => ({
    event: 'message',
    data: { type: 'relayer_subscription', data: { subscription: id, error } },
  });
  // What the page script tells when this script is gone.
  const data = { reason: 'walletReplaced', status: 'unknown', requestId: id };
  const end = ended({ code: 4900, message: 'The wallet was replaced. Reload the page.', data });
  expect([methods().length, heard]).toEqual([3, [{ id, result: 'x', end }]]);
  const error = { code: 4100, message: 'The wallet was locked.' };
  answers.set('relayer_subscribe', { error });
  await vi.advanceTimersByTimeAsync(40_000);
  expect(heard.slice(1)).toEqual([ended(error), { id, result: null }]);
  expect(methods()).toHaveLength(4);
});

test('a subscription is held while the background keeps silent about another', async () => {
  vi.useFakeTimers();
  answers.set('relayer_subscribe', { result: 'x' });
  const ids = [ask('relayer_subscribe'), ask('relayer_subscribe')];
  await vi.advanceTimersByTimeAsync(1_000);
  answers.delete('relayer_subscribe');
  sent.length = 0;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(sent.map(({ id }) => id)).toEqual([...ids, ...ids]);
});

test('a subscription that is being ended is not begun anew', async () => {
  vi.useFakeTimers();
  answers.set('relayer_subscribe', { result: 'x' });
  const id = ask('relayer_subscribe');
  await vi.advanceTimersByTimeAsync(25_000);
  expect(methods()).toEqual(['relayer_subscribe', 'relayer_subscribe']);
  let end = (_: Reply) => {};
  answers.set('relayer_unsubscribe', new Promise<Reply>((done) => (end = done)));
  ask('relayer_unsubscribe', [{ subscription: id }]);
  await vi.advanceTimersByTimeAsync(18_000);
  expect(methods().slice(2)).toEqual(['relayer_unsubscribe']);
  end({ error: { code: -32603, message: 'no' } });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(methods().slice(3)).toEqual(['relayer_subscribe']);
  answers.set('relayer_unsubscribe', { result: true });
  ask('relayer_unsubscribe', [{ subscription: id }]);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(methods().slice(4)).toEqual(['relayer_unsubscribe']);
});

test('a subscription that is begun anew behind its end is ended again', async () => {
  vi.useFakeTimers();
  answers.set('relayer_subscribe', { result: 'id' }).set('relayer_unsubscribe', { result: true });
  const id = ask('relayer_subscribe', [{ topic: 'trade' }]);
  let begin = (_: Reply) => {};
  await vi.advanceTimersByTimeAsync(1_000);
  answers.set('relayer_subscribe', new Promise<Reply>((done) => (begin = done)));
  await vi.advanceTimersByTimeAsync(20_000);
  ask('relayer_unsubscribe', [{ subscription: id }]);
  await vi.advanceTimersByTimeAsync(1_000);
  begin({ result: id });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(methods()).toEqual(['relayer_subscribe', 'relayer_subscribe', 'relayer_unsubscribe', 'relayer_unsubscribe']);
  expect(sent.at(-1)).toMatchObject({ type: 'page', params: { subscription: id }, documentId: sent[0]?.documentId });
});

test.each([
  ['a method that is no text', ['eth_accounts'], undefined, -32600],
  ['a long method', 'x'.repeat(101), undefined, -32600],
  ['large params', 'eth_accounts', ['x'.repeat(65_533)], -32602],
])('%s gets an answer from the page itself', async (_, method, params, code) => {
  answers.set('eth_accounts', { result: [] });
  const id = ask(method as string, params);
  await expect.poll(() => heard).toMatchObject([{ id, error: { code } }]);
  expect(sent).toEqual([]);
  ask('eth_accounts', ['x'.repeat(65_532)]);
  await expect.poll(() => methods()).toEqual(['eth_accounts']);
});

test('a page has 64 requests waiting at most, and may go on when one is answered', async () => {
  let answerFirst = () => {};
  answers.set('first', new Promise((resolve) => (answerFirst = () => resolve({ result: null }))));
  ask('first');
  for (let n = 1; n < 64; n++) ask('never');
  const refused = ask('eth_accounts');
  await expect
    .poll(() => heard)
    .toEqual([{ id: refused, error: { code: -32005, message: expect.stringContaining('64 requests') } }]);
  expect(sent).toHaveLength(64);
  answerFirst();
  await expect.poll(() => heard).toHaveLength(2);
  ask('eth_accounts');
  await expect.poll(() => sent).toHaveLength(65);
});
