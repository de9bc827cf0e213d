import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from './support/site.ts';
import { ORDER, PASSWORD, rejectIn, type Stage, setStage } from './support/stage.ts';

/** The wallet's own pages in Chromium: where they open, and whom all of it talks to. */
let stage: Stage;
let gateway: { readonly url: string; readonly asked: string[]; close(): void };
/**
 * Origins of all requests of the browser, pages and workers alike, with the kind of context that
 * made them.
 */
const asked = new Set<string>();
const problems: string[] = [];

async function serveGateway() {
  const paths: string[] = [];
  const server = createServer((incoming, response) => {
    paths.push(incoming.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ipfs/`,
    asked: paths,
    close: () => server.close(),
  };
}

beforeAll(async () => {
  stage = await setStage();
  gateway = await serveGateway();
  stage.extension.context.on('request', (made) => {
    const { protocol, origin } = new URL(made.url());
    if (protocol === 'data:' || protocol === 'blob:') return;
    asked.add(`${made.serviceWorker() ? 'worker' : 'page'} ${protocol === 'chrome-extension:' ? 'itself' : origin}`);
  });
  stage.extension.context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
});
let closed = false;
afterAll(async () => {
  gateway?.close();
  if (!closed) await stage?.close();
});

/** Every place that the navigation of a full tab offers, and what the settings lead to. */
async function visitEverything(page: Page): Promise<string[]> {
  const seen: string[] = [];
  const queue = ['#/home', '#/key', '#/queue', '#/about'];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (seen.includes(next)) continue;
    seen.push(next);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, next);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    const links = await page
      .locator('a[href^="#/"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    // A screen about something leads on to others of its kind; one of each is enough.
    const kind = (hash: string) => hash.split('/').slice(0, 2).join('/') + (hash.split('/').length > 2 ? '/…' : '');
    for (const link of links)
      if (link !== null && ![...seen, ...queue].some((known) => kind(known) === kind(link))) queue.push(link);
  }
  return seen;
}

test('the side panel opens from the popup, in its own shape, on the same wallet', async () => {
  const popup = await stage.extension.open('src/ui/popup.html#/more');
  await popup.getByRole('button', { name: 'Open in the side panel' }).click();
  const control = await stage.extension.open('src/ui/popup.html?view=tab');
  const panels = () =>
    control.evaluate(async () => {
      const all = await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL' as chrome.runtime.ContextType] });
      return all.map(({ documentUrl }) => new URL(documentUrl ?? '').search);
    });
  await expect.poll(panels).toEqual(['?view=panel']);
  await expect.poll(() => popup.isClosed()).toBe(true);
  await control.close();
  const panel = await stage.extension.open('src/ui/popup.html?view=panel');
  await panel.setViewportSize({ width: 320, height: 900 });
  await panel.getByText('Main').first().waitFor();
  expect(await panel.evaluate(() => document.body.scrollWidth)).toBe(320);
  expect(await panel.evaluate(() => document.body.clientHeight)).toBe(900);
  await panel.close();
});

test('every flow talks to the relayer, the site and itself, and to nobody else', async () => {
  const tab = await stage.connectedPage();
  await stage.approve(tab, 'wallet_requestPermissions', [{ relayer_transfers: {}, relayer_nfts: {} }]);
  const { hash } = await stage.approve<{ hash: string }>(tab, 'relayer_submitOrder', [ORDER]);
  await stage.approve(tab, 'relayer_cancelOrder', [{ orderHash: hash }]);
  const rejected = await stage.ask(tab, 'relayer_submitOrder', [ORDER]);
  await rejectIn(rejected.window);
  expect(await rejected.answer).toMatchObject({ error: { code: 4001 } });
  for (const method of ['relayer_getBalances', 'relayer_getOrders', 'relayer_getNftBalances'])
    await request(tab, method);

  const pages = await stage.extension.open('src/ui/popup.html?view=tab');
  const visited = await visitEverything(pages);
  for (const name of [
    'home',
    'activity',
    'sites',
    'accounts',
    'networks',
    'settings',
    'advanced',
    'about',
    'key',
    'proofs',
  ])
    expect(visited.map((hash) => hash.split('/')[1])).toContain(name);
  await stage.extension.ui('lock', {});
  await pages.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await pages.keyboard.press('Enter');
  await pages.getByText('Main').first().waitFor();
  await pages.close();
  const onboarding = await stage.extension.open('src/ui/onboarding.html');
  await onboarding.locator('h1').first().waitFor();
  await onboarding.close();
  await stage.leave(tab);

  const allowed = ['page itself', 'worker itself', `page ${stage.site.origin}`, `worker ${stage.relayer.url}`];
  expect([...asked].filter((one) => !allowed.includes(one))).toEqual([]);
  // The recording hears the worker too, or it would prove nothing.
  expect(asked).toContain(`worker ${stage.relayer.url}`);
  expect(gateway.asked).toEqual([]);
  expect(problems).toEqual([]);
});

test('the IPFS gateway is asked only after it was entered, by the worker, for the picture that is looked at', async () => {
  await stage.extension.ui('setSettings', { ipfsGateway: gateway.url });
  await stage.extension.ui('getNftMetadata', { nftId: `0x${'1'.repeat(64)}` });
  expect(gateway.asked.length).toBeGreaterThan(0);
  expect(gateway.asked.every((path) => path.startsWith('/ipfs/Qm'))).toBe(true);
  expect([...asked]).not.toContain(`page ${new URL(gateway.url).origin}`);
});

test('a host that nobody entered is found at the end of every file that drives Chromium, whoever asked it', async () => {
  await stage.extension.stopWorker();
  await stage.extension.ui('getState', {});
  const worker = stage.extension.context.serviceWorkers().at(-1);
  await worker?.evaluate(() => fetch('https://stranger.invalid/').catch(() => null));
  closed = true;
  await expect(stage.close()).rejects.toThrow('hosts that nobody entered: worker https://stranger.invalid');
});
