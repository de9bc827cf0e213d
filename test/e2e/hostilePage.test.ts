import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, type Site, serveSite } from './support/site.ts';
import { approveIn, ORDER, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
let hostile: Site;

/**
 * Runs as the page's first script: listens to everything, patches what others might use, and offers
 * a port of its own.
 */
const prelude = `<!doctype html><meta charset="utf-8"><script>
  window.seen = [];
  for (const name of ['message', 'countersign:port', 'countersign:ask'])
    addEventListener(name, (event) => seen.push([name, event.ports?.length ?? 0]), true);
  const { stringify, parse } = JSON;
  window.jsonCalls = [];
  JSON.stringify = (...args) => { jsonCalls.push(args[0]); return stringify(...args); };
  JSON.parse = (...args) => { const value = parse(...args); jsonCalls.push(value); return value; };
  const post = MessagePort.prototype.postMessage;
  window.posted = [];
  MessagePort.prototype.postMessage = function (data, ...rest) { posted.push(data); return post.call(this, data, ...rest); };
  for (const name of ['push', 'map', 'find', 'includes']) {
    const original = Array.prototype[name];
    Array.prototype[name] = function (...args) { return original.apply(this, args); };
  }
  addEventListener('eip6963:announceProvider', ({ detail }) => { window.wallet = detail.provider; });
  dispatchEvent(new Event('eip6963:requestProvider'));
</script>`;

beforeAll(async () => {
  stage = await setStage();
  hostile = await serveSite(prelude);
});
afterAll(async () => {
  await hostile?.close();
  await stage?.close();
});

async function hostilePage(): Promise<Page> {
  const page = await stage.extension.context.newPage();
  await page.goto(hostile.origin);
  return page;
}

test('the channel between page script and content script is made before the page runs, and shown to nobody', async () => {
  const page = await hostilePage();
  await request(page, 'eth_accounts');
  const { seen, posted, jsonCalls } = await page.evaluate(() => {
    const { seen, posted, jsonCalls } = window as unknown as Record<string, unknown[]>;
    return { seen, posted, jsonCalls };
  });
  expect(seen).toEqual([]);
  // The page script captured the real functions before the page could patch them.
  expect(posted).toEqual([]);
  expect(jsonCalls).toEqual([]);
  await page.close();
});

test('a second port, offered by the page, gets no answer', async () => {
  const page = await hostilePage();
  const answers = await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    const answers: unknown[] = [];
    port1.onmessage = ({ data }) => answers.push(data);
    dispatchEvent(new MessageEvent('countersign:port', { ports: [port2] }));
    port1.postMessage({ id: crypto.randomUUID(), method: 'eth_accounts' });
    // Asked for once more, the page script's own end stays where it is.
    const offered: unknown[] = [];
    addEventListener('countersign:port', (event) => offered.push(event));
    dispatchEvent(new Event('countersign:ask'));
    // An answer to what was asked before would be here before these.
    const { wallet } = window as unknown as { wallet: { request(args: object): Promise<unknown> } };
    for (let n = 0; n < 2; n++) await wallet.request({ method: 'eth_accounts' });
    return [...answers, ...offered];
  });
  expect(answers).toEqual([]);
  expect(await request(page, 'eth_accounts')).toEqual({ result: [] });
  await page.close();
});

test('a message shaped like an internal one opens nothing', async () => {
  const page = await hostilePage();
  const windows = () => stage.extension.context.pages().length;
  const before = windows();
  const outcomes = await page.evaluate(async (order) => {
    const runtime = (globalThis as unknown as { chrome?: { runtime?: { sendMessage?: unknown } } }).chrome?.runtime;
    const types: unknown[] = [];
    addEventListener('message', ({ data }) => types.push(data?.type));
    for (const type of ['ui', 'page', 'to-page'])
      for (const [method, params] of [
        ['getState', {}],
        ['relayer_submitOrder', [order]],
      ] as const)
        window.postMessage({ type, method, id: crypto.randomUUID(), params }, '*');
    // What the messages had opened or answered would be there before these answers.
    const { wallet } = window as unknown as { wallet: { request(args: object): Promise<unknown> } };
    for (let n = 0; n < 2; n++) await wallet.request({ method: 'eth_accounts' });
    return { canReachExtension: typeof runtime?.sendMessage, types };
  }, ORDER);
  const own = ['ui', 'ui', 'page', 'page', 'to-page', 'to-page'];
  expect(outcomes).toEqual({ canReachExtension: 'undefined', types: own });
  expect(await stage.extension.ui('listApprovals', {})).toEqual([]);
  expect(windows()).toBe(before);
  for (const method of ['getState', 'unlock', 'approve', 'exportSigner', 'ui', '__proto__', 'constructor'])
    expect(await request(page, method, [{}])).toMatchObject({ error: { code: 4200 } });
  await page.close();
});

test('parameters are read once: a getter that changes its mind changes nothing', async () => {
  const page = await stage.connectedPage();
  const opening = stage.extension.nextApproval();
  const outcome = page.evaluate(async (order) => {
    const { wallet } = window as unknown as { wallet: { request(args: object): Promise<unknown> } };
    let reads = 0;
    const intent = {
      ...order,
      get buyToken() {
        reads++;
        return { tokenId: 0, volume: reads === 1 ? order.buyToken.volume : '1' };
      },
    };
    const result = await wallet.request({ method: 'relayer_submitOrder', params: [intent] });
    return { reads, result };
  }, ORDER);
  await approveIn(await opening);
  const { reads, result } = (await outcome) as { reads: number; result: { hash: `0x${string}` } };
  expect(reads).toBe(1);
  const order = await stage.client.getOrder({
    query: { accountId: stage.account.accountId, orderHash: result.hash },
    apiKey: stage.account.apiKey,
  });
  expect(order.volumes.quoteAmount).toBe(ORDER.buyToken.volume);
  await stage.leave(page);
});

test('a page whose library changes how JSON is written asks for what it wrote', async () => {
  const page = await stage.connectedPage();
  await page.evaluate(() => {
    for (const [on, name] of [
      [Array.prototype, 'toJSON'],
      [Object.prototype, 'toJSON'],
      [String.prototype, 'toJSON'],
    ] as const)
      Object.defineProperty(on, name, { configurable: true, value: () => '"changed"' });
    Object.defineProperty(Object.prototype, 'volume', { configurable: true, get: () => '1', set() {} });
  });
  const opening = stage.extension.nextApproval();
  const asked = page.evaluate(async () => {
    const { wallet } = window as unknown as { wallet: { request(args: object): Promise<{ hash: `0x${string}` }> } };
    const params = [
      {
        sellToken: { tokenId: 1, volume: '100000000000000000000' },
        buyToken: { tokenId: 0, volume: '50000000000000000' },
      },
    ];
    for (const side of ['sellToken', 'buyToken'] as const)
      Object.defineProperty(params[0]?.[side], 'volume', {
        value: side === 'sellToken' ? '100000000000000000000' : '50000000000000000',
        enumerable: true,
      });
    const { hash } = await wallet.request({ method: 'relayer_submitOrder', params });
    for (const on of [Array.prototype, Object.prototype, String.prototype]) Reflect.deleteProperty(on, 'toJSON');
    Reflect.deleteProperty(Object.prototype, 'volume');
    return hash;
  });
  await approveIn(await opening);
  const order = await stage.client.getOrder({
    query: { accountId: stage.account.accountId, orderHash: await asked },
    apiKey: stage.account.apiKey,
  });
  expect(order.volumes).toMatchObject({ baseAmount: '100000000000000000000', quoteAmount: '50000000000000000' });
  await stage.leave(page);
});

/** Keeps what the provider tells a page unasked. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const { wallet } = window as unknown as { wallet: { on(name: string, heard: (data: unknown) => void): void } };
    const told: unknown[] = [];
    Object.assign(window, { told });
    for (const name of ['accountsChanged', 'chainChanged', 'connect', 'disconnect', 'message'])
      wallet.on(name, (data) => told.push([name, data]));
  });
const toldTo = (page: Page) => page.evaluate(() => (window as unknown as { told: unknown[] }).told);

test('what one site is granted, another does not see, and answers stay in their tab', async () => {
  const connected = await stage.connectedPage();
  const other = await hostilePage();
  // The same address without its rights: `location.origin` is that of the connected site.
  const sandboxed = await stage.extension.context.newPage();
  await sandboxed.goto(`${stage.site.origin}/sandboxed`);
  expect(await sandboxed.evaluate(() => [location.origin, self.origin])).toEqual([stage.site.origin, 'null']);
  for (const page of [connected, other, sandboxed]) await listen(page);
  expect(await request(other, 'eth_accounts')).toEqual({ result: [] });
  expect(await request(other, 'relayer_getBalances')).toMatchObject({ error: { code: 4100 } });
  expect(await request(sandboxed, 'eth_accounts')).toEqual({
    error: { code: 4100, message: 'Refused: opaque origin.', data: { reason: 'unsupportedDocument' } },
  });
  expect(await request(connected, 'eth_accounts')).toEqual({ result: [stage.account.owner] });
  await stage.extension.ui('revokeSite', { origin: stage.site.origin });
  await expect.poll(() => toldTo(connected)).toContainEqual(['accountsChanged', []]);
  expect(await Promise.all([toldTo(other), toldTo(sandboxed)])).toEqual([[], []]);
  await other.close();
  await sandboxed.close();
  await stage.leave(connected);
});

test('the window shows the origin that the browser reports, whatever the page says', async () => {
  const page = await stage.connectedPage();
  await page.evaluate(() => {
    document.title = 'https://bank.example wants nothing';
    history.replaceState(null, '', '/bank.example/login');
  });
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'origin' }]);
  const [asked] = await stage.extension.ui('listApprovals', {});
  expect(asked?.origin).toBe(stage.site.origin);
  await window.getByText(new URL(stage.site.origin).host).first().waitFor();
  await window.close();
  expect(await answer).toMatchObject({ error: { code: 4001 } });
  await stage.leave(page);
});

test('a page of the extension inside a frame renders nothing', async () => {
  const page = await hostilePage();
  const loaded = await page.evaluate(async (url) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    // A refused address ends with this event too: the browser's own page of the failure is loaded.
    const loaded = new Promise((done) => frame.addEventListener('load', done));
    document.body.append(frame);
    await loaded;
    return frame.contentDocument === null;
  }, `chrome-extension://${stage.extension.id}/src/ui/approval.html?id=x`);
  expect(loaded).toBe(true);
  // The browser's own page of the failure.
  expect(page.frames().map((frame) => frame.url())).toEqual([page.url(), 'chrome-error://chromewebdata/']);
  await page.close();
});
